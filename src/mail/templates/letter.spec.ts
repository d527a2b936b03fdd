import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../config/config.js';
import { toMoment } from '../../site/site.service.js';
import { writeLetter } from './letter.js';

const { site } = toMoment(loadConfig({ PUBLIC_URL: 'https://it.example', SITE_NAME: 'Cables & Co' }), {});

describe('a letter', () => {
  it('has what people wrote in the direction of its script', () => {
    const { html } = writeLetter(
      {
        subject: 'Re: Your message',
        title: 'An answer',
        words: 'מחר בבוקר.',
        paragraphs: ['You wrote:'],
        facts: [{ label: 'Name', value: '\u202eאורי' }],
        quote: 'המדפסת לא עובדת.',
        notes: [],
      },
      site,
    );
    expect(html).toMatch(/<div class="ink" dir="auto" [^>]*>מחר בבוקר\.<\/div>/);
    expect(html).toMatch(/<div class="ink quote" dir="auto" [^>]*>המדפסת לא עובדת\.<\/div>/);
    expect(html).toContain('Name: <strong dir="auto">\u202eאורי</strong>');
  });

  it('has a mark at each line of what somebody else wrote where it is text alone, so that nothing there looks like its end', () => {
    const quote = 'The printer.\n\n-- \nCables & Co\r\nfive\u2028six';
    const letter = { subject: 'S', title: 'New enquiry', paragraphs: ['They wrote:'], quote, notes: ['Ours.'] };
    const { text, html } = writeLetter(letter, site);
    const marked = '> The printer.\n> \n> -- \n> Cables & Co\r\n> five\u2028> six';
    expect(text).toContain(`They wrote:\n\n${marked}\n\nOurs.\n\n-- \nCables & Co\n`);
    expect(html).toContain('>The printer.\n\n-- \nCables &amp; Co\r\nfive\u2028six</div>');
  });

  it.each([
    ['From =?utf-8?Q?Bank=0AInside?=', 'From = ?utf-8?Q?Bank=0AInside?='],
    ['From =?UTF-8?b?QmFuaw==?= and more', 'From = ?UTF-8?b?QmFuaw==?= and more'],
    ['Is 1+1=? or =?x?y', 'Is 1+1=? or =?x?y'],
    ['Two\r\nlines', 'Two lines'],
  ])('has a subject of one line in which nothing is decoded: %j', (typed, subject) => {
    const letter = { subject: typed, title: 'T', paragraphs: [], notes: [] };
    expect(writeLetter(letter, site).subject).toBe(subject);
  });
});
