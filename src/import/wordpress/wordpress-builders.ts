import { toPlainText } from '../../posts/content/plain-text.js';
import { metaOf } from './wordpress-site.js';
import type { XmlElement } from './xml-tree.js';

/** Custom fields in which page builders keep what they show. */
const FIELDS =
  '_elementor_data _fl_builder_data _themify_builder_settings_json dslc_code panels_data _bricks_page_content_2 _breakdance_data _oxygen_data _cornerstone_data mfn-page-items'.split(
    ' ',
  );
/** Those of builders that never write it into the text of the post as well. */
const ALONE = /^(?:_bricks|_breakdance|_oxygen|_cornerstone|mfn)/;
const EMPTY = /^(?:\[\]|a:0:\{\})?$/;

/** Names the field of a page builder in which the words of a post are that its text does not have. */
export function noteBuilder(item: XmlElement, html: string, warnings: string[]): void {
  const isEmpty = toPlainText(html) === '';
  const field = FIELDS.find((key) => (isEmpty || ALONE.test(key)) && !EMPTY.test(metaOf(item, key).trim()));
  if (field !== undefined)
    warnings.push(`what a page builder shows of it is in the field ${field}, which was not read`);
}
