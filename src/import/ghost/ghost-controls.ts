import { Parser } from 'htmlparser2';

const controls = /(?:^|\s)kg-(?:audio-player|video-player-container|video-overlay)(?:\s|$)/;

/** The HTML of a post without what belongs to the players in it: buttons, and times such as '0:00'. */
export function withoutControls(html: string): string {
  if (!/kg-(?:audio|video)-card|kg-(?:audio|video)-player/.test(html)) return html;
  let kept = '';
  let at = 0;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name !== 'div') return;
      if (depth > 0) depth += 1;
      else if (controls.test(attributes['class'] ?? '')) {
        depth = 1;
        kept += html.slice(at, parser.startIndex);
      }
    },
    onclosetag(name) {
      if (name !== 'div' || depth === 0) return;
      depth -= 1;
      at = parser.endIndex + 1;
    },
  });
  parser.end(html);
  return kept + html.slice(at);
}
