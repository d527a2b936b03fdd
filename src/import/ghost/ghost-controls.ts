import { Parser } from 'htmlparser2';

const controls = /(?:^|\s)kg-(?:audio-player|audio-thumbnail|video-player-container|video-overlay)(?:\s|$)/;
/** The place of a picture that a player does not have. */
const hidden = /(?:^|\s)kg-audio-hide(?:\s|$)/;

/** The HTML of a post without what belongs to the players in it: buttons, and times such as '0:00'. */
export function withoutControls(html: string): string {
  if (!/kg-(?:audio|video)-card|kg-(?:audio|video)-player/.test(html)) return html;
  let kept = '';
  let at = 0;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (depth === 0 && name === 'img' && hidden.test(attributes['class'] ?? '')) {
        kept += html.slice(at, parser.startIndex);
        at = parser.endIndex + 1;
      }
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
