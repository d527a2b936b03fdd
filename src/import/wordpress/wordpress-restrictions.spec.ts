import { describe, expect, it } from '@jest/globals';
import { readSource, settings, withFile } from '../../../test/support/post-source.js';
import { ShortcodeRules } from '../shortcode-rules.js';
import type { SourcePost } from '../source-post.js';
import { openWordPress } from './wordpress-reader.js';

const read = (content: string) => withFile('export.xml', content, (path) => readSource(openWordPress(path, settings)));
const post = (id: string, more = '') =>
  `<item><title>T${id}</title><link>https://a.example/t${id}/</link><content:encoded><![CDATA[Text]]></content:encoded>` +
  `<wp:post_id>${id}</wp:post_id><wp:post_date>2024-01-01 10:00:00</wp:post_date><wp:status>publish</wp:status>${more}</item>`;
const text = (id: string, words: string) => post(id).replace('Text', words);
const field = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
const whole = (...items: string[]) =>
  '<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><link>https://a.example</link>' +
  `${items.join('\n')}</channel></rss>`;
const some = (name: string) => `is for some readers only there (${name})`;
const part = (name: string) => `has parts that are for some readers only there (${name})`;

describe('what some readers only see', () => {
  it('is kept when a plugin that is known guards it', async () => {
    const um = (set: string) => `a:2:{s:26:"_um_custom_access_settings";s:1:"${set}";s:14:"_um_accessible";s:1:"2";}`;
    const leaky = (type: string) =>
      field(
        '_issuem_leaky_paywall_visibility',
        `a:2:{s:15:"visibility_type";s:${type.length}:"${type}";s:12:"only_visible";a:0:{}}`,
      );
    const content = whole(
      text('1', 'a [restrict paid="true"]b[/restrict]'),
      text('2', 'a [wpmem_logged_in]b[/wpmem_logged_in]'),
      text('3', 'a [note]b[/note] [logged_in] <pre>[private]x[/private]</pre> [gallery_members]'),
      text('4', '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph --><!-- wp:jetpack/paywall /--><p>b</p>'),
      text(
        '5',
        '<!-- wp:group {"blockVisibility":{"controlSets":[{"controls":{"userRole":{"visibilityByRole":"logged-in"}}}]}} --><p>b</p><!-- /wp:group -->',
      ),
      post('6', field('_members_access_role', 'subscriber')),
      post('7', field('_jetpack_newsletter_access', 'paid_subscribers')),
      post('8', field('_jetpack_newsletter_access', 'everybody') + field('um_content_restriction', um('0'))),
      post('9', field('um_content_restriction', um('1'))),
      post('10', field('_members_access_role', 'x')).replace('publish', 'private'),
      text('11', 'a [private]b[/private]').replace('publish', 'future'),
      post('12', field('patreon-level', '5')),
      post('13', field('patreon-level', '0') + leaky('default') + field('memberful_acl', 'a:1:{s:7:"product";a:0:{}}')),
      post('14', leaky('onlyalways')),
      post('15', field('memberful_acl', 'a:1:{s:7:"product";a:1:{i:7;s:1:"7";}}')),
    );
    const { items } = await read(content);
    expect((items as SourcePost[]).map(({ isPublished, withheld }) => withheld ?? isPublished)).toEqual([
      part('[restrict]'),
      part('[wpmem_logged_in]'),
      true,
      part('jetpack/paywall'),
      part('group, blockVisibility'),
      some('_members_access_role'),
      some('_jetpack_newsletter_access'),
      true,
      some('um_content_restriction'),
      'is private there',
      part('[private]'),
      some('patreon-level'),
      true,
      some('_issuem_leaky_paywall_visibility'),
      some('memberful_acl'),
    ]);
    expect((items as SourcePost[]).filter(({ scheduledAt }) => scheduledAt !== undefined)).toEqual([]);
    // Who says what becomes of a tag has seen it.
    const shortcodes = new ShortcodeRules(new Map([['restrict', 'drop']]));
    const ruled = await withFile('export.xml', content, (path) =>
      readSource(openWordPress(path, { ...settings, shortcodes })),
    );
    expect(ruled.items[0]).toMatchObject({ isPublished: true, html: '<p>a</p>' });
  });

  it('is kept when a plugin that is not known says so in its fields, tags and conditions', async () => {
    const group = (attributes: object) =>
      `<!-- wp:group ${JSON.stringify(attributes)} --><p>a</p><!-- /wp:group --><p>b</p>`;
    const content = whole(
      post('1', field('passster_activate_protection', '1') + field('passster_password', 'abc')),
      post('2', field('_require_login', 'yes')),
      post('3', field('is_premium', '1')),
      post('4', field('_x_restrict_roles', 'a:1:{i:0;s:6:"editor";}')),
      post(
        '5',
        field('_x_restrict_roles', 'a:1:{i:0;s:0:"";}') + field('x_protected', 'no') + field('premium_look', '1'),
      ),
      post('6', field('x_restricted_message', 'Sign in') + field('passwordless_sign', '1')),
      text('7', group({ otterConditions: [[{ type: 'loggedInUser', visibility: true }]] })),
      text('8', group({ conditionalBlocksAttributes: { userState: 'logged-in' } })),
      text('9', group({ otterConditions: [[{ type: 'loggedOutUser', visibility: true }]] })),
      text('10', group({ blockVisibility: { controls: { userRole: { visibilityByRole: 'logged-out' } } } })),
      text('11', 'a [armif is_user_logged_in()]b[/armif]'),
      text('12', 'a [accessally_has_any_tag_id tag_id="1"]b[/accessally_has_any_tag_id]'),
      text('13', 'a [password pw="x"]b[/password]'),
      text('14', 'a [paid]b[/paid]'),
      text('16', group({ showIfLoggedIn: true })),
      text('17', group({ hideIfLoggedIn: true, membersOnly: false })),
      text('15', 'a [clock]b[/clock] [blockquote]c[/blockquote] [password-form]'),
    );
    const { items } = await read(content);
    expect((items as SourcePost[]).map(({ isPublished, withheld }) => withheld ?? isPublished)).toEqual([
      some('passster_activate_protection'),
      some('_require_login'),
      some('is_premium'),
      some('_x_restrict_roles'),
      true,
      true,
      part('group, a condition'),
      part('group, a condition'),
      true,
      true,
      part('[armif]'),
      part('[accessally_has_any_tag_id]'),
      part('[password]'),
      part('[paid]'),
      part('group, a condition'),
      true,
      true,
    ]);
  });

  it('is left out where it is a block that is hidden there', async () => {
    const paragraph = (words: string, attributes = '') =>
      `<!-- wp:paragraph ${attributes}--><p>${words}</p><!-- /wp:paragraph -->`;
    const content = whole(
      post('1').replace(
        'Text',
        paragraph('a') +
          paragraph('b', '{"metadata":{"blockVisibility":false}} ') +
          `<!-- wp:group {"blockVisibility":{"hideBlock":true}} --><div>${paragraph('c')}${paragraph('d')}</div><!-- /wp:group -->` +
          '<!-- wp:latest-posts {"metadata":{"blockVisibility":false}} /-->' +
          paragraph('e', '{"blockVisibility":{"hideBlock":false}} '),
      ),
    );
    const [item] = (await read(content)).items as SourcePost[];
    expect(item?.html).toBe('<p>a</p><p>e</p>');
    expect(item?.warnings).toEqual(['blocks that are hidden there were left out: 3']);
  });
});
