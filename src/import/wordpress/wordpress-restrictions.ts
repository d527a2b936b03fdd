import { splitAtCode, splitAtComments } from '../html-text.js';
import type { ShortcodeRules } from '../shortcode-rules.js';
import { metaOf } from './wordpress-site.js';
import { textOf, type XmlElement } from './xml-tree.js';

/** Tags of plugins for members that have names of their own; others say in their names whom they let in. */
const TAGS_FOR_SOME = new Set(
  'access armif content_control content_protector hide hidepost ifuser is_user_logged_in memberful mepr-active mepr-show passster ppwp s2if student wlm_ismember'.split(
    ' ',
  ),
);
const NAMED_FOR_SOME =
  /^accessally[-_]|(?:^|[-_])(?:members?(?:only)?|membership|restrict(?:ed|ion)?|hide-content|protect(?:ed)?|private(?:content)?|logged[-_]?in|loggedin|paywall|subscribers?|passwords?|paid(?:content)?|premium(?:content)?|lock(?:ed|er)?|registered|vip)(?=$|[-_])/;
const BLOCKS_FOR_SOME =
  /^(?:jetpack\/paywall|premium-content\/|jetpack\/premium-content|pmpro\/membership|woocommerce-memberships\/member|restrict-content|rcp\/|memberpress\/|ultimate-member\/|content-control\/|members\/)/;
const ROLES = /"visibilityByRole"\s*:\s*"(?:logged-in|user-role|users|user-rule-sets)"/;
/** Conditions that other plugins put on blocks, under names of their own, when they say who has to be signed in. */
const CONDITION = /"\w{0,50}(?:condition|visib|restrict|access)\w{0,50}"\s*:/i;
const FOR_SIGNED_IN = /logged[-_ ]?in|"[\w-]{0,20}user[-_]?roles?"|membership/i;
const SWITCH = /"(?!hide|not)\w{0,50}(?:logged_?in|members?_?only)\w{0,50}"\s*:\s*true\b/i;
const HIDDEN = /"blockVisibility"\s*:\s*(?:false\b|\{[^{}]*"hideBlock"\s*:\s*true\b)/;

/** Custom fields in which plugins say who can read a post, with the values that mean everybody. */
const FIELDS: readonly (readonly [key: string, open: RegExp])[] = [
  ['_members_access_role', /^$/],
  ['_jetpack_newsletter_access', /^(?:|everybody)$/],
  ['_wpmem_block', /^0?$/],
  ['rcp_subscription_level', /^$/],
  ['rcp_access_level', /^(?:|none|0)$/i],
  ['rcp_user_level', /^(?:|all)$/i],
  ['_is_paid', /^0?$/],
  [
    'um_content_restriction',
    /^(?![^]*_um_custom_access_settings";(?:s:1:"|b:|i:)1)|^(?![^]*_um_accessible";(?:s:1:"|i:)2)/,
  ],
  ['pms-content-restrict-user-status', /^$/],
  ['pms-content-restrict-subscription-plan', /^$/],
  ['groups-read', /^$/],
  ['groups-groups_read_post', /^$/],
  ['ihc_mb_who', /^(?:|all)$/],
  ['patreon-level', /^0?$/],
  ['_issuem_leaky_paywall_visibility', /^(?![^]*visibility_type";s:\d+:"only)/],
  ['memberful_acl', /^(?![^]*\{i:)/],
];

/** Custom fields of other plugins that say of themselves that they keep readers out, and those that only hold what these are told. */
const FIELD_FOR_SOME =
  /(?:^|[-_])(?:(?:passwords?|protect(?:ed|ion)?|restrict(?:ed|ions?)?|paywall(?:ed)?|members?[-_]?only|requires?[-_]?login|login[-_]?required|logged[-_]?in)(?=$|[-_])|premium$)/i;
const FIELD_OF_WORDS = /messages?|text|title|label|notice|excerpt|redirect|url|type|hint|template|style|colou?r/i;
/** Values by which a plugin says that it does nothing; empty lists of PHP among them. */
const OPEN_VALUE =
  /^(?:0|-1|no?|off|none|false|never|disabled?|everyone|everybody|public|default|inherit|open|null|visible|\[\]|\{\}|a:\d+:\{(?:i:\d+;(?:s:0:"";|N;|b:0;))*\})?$/i;

/**
 * Why a post that is published there is not for everybody, or not all of it: by a plugin for members, in a custom field, a tag or a
 * block. Undefined for others. A tag that the operator has a rule for is as the rule says.
 * @param html with reusable blocks in their places
 */
export function whyRestricted(item: XmlElement, html: string, rules: ShortcodeRules | undefined): string | undefined {
  const field = FIELDS.find(([key, open]) => !open.test(metaOf(item, key).trim()))?.[0] ?? otherField(item);
  if (field !== undefined) return `is for some readers only there (${field})`;
  const part = (name: string) => `has parts that are for some readers only there (${name})`;
  if (html.includes('wp:')) {
    for (const { text, isComment } of splitAtComments(html)) {
      const name = isComment ? /^wp:([a-z][a-z0-9_/-]*)/.exec(text)?.[1] : undefined;
      if (name === undefined) continue;
      if (BLOCKS_FOR_SOME.test(name)) return part(name);
      if (ROLES.test(text)) return part(`${name}, blockVisibility`);
      const isRead = text.includes('"visibilityByRole"');
      const isForSome = SWITCH.test(text) || (CONDITION.test(text) && FOR_SIGNED_IN.test(text));
      if (!isRead && isForSome) return part(`${name}, a condition`);
    }
  }
  if (!html.includes('[/')) return undefined;
  for (const { text, isRaw } of splitAtCode(html)) {
    if (isRaw) continue;
    for (const [, written = ''] of text.matchAll(/\[\/([a-z][\w-]{1,50})\]/gi)) {
      const name = written.toLowerCase();
      const isForSome = TAGS_FOR_SOME.has(name) || NAMED_FOR_SOME.test(name);
      if (isForSome && rules?.find([name]) === undefined) return part(`[${name}]`);
    }
  }
  return undefined;
}

/** The first custom field of a plugin that is not known by which it keeps readers out, as its name says. */
function otherField(item: XmlElement): string | undefined {
  for (const child of item.children) {
    if (child.name !== 'wp:postmeta') continue;
    const key = textOf(child, 'wp:meta_key').slice(0, 100);
    const isForSome = FIELD_FOR_SOME.test(key) && !FIELD_OF_WORDS.test(key) && FIELDS.every(([known]) => known !== key);
    if (isForSome && !OPEN_VALUE.test(textOf(child, 'wp:meta_value').trim())) return key;
  }
  return undefined;
}

/** Leaves out blocks that somebody has hidden, which readers do not see there. */
export function withoutHiddenBlocks(html: string, warnings: string[]): string {
  if (!html.includes('blockVisibility')) return html;
  let shown = '';
  let at = 0;
  let count = 0;
  /** How deep a hidden block is, and where it began; 0 outside of one. */
  let depth = 0;
  let start = html.indexOf('<!--');
  while (start >= 0) {
    const close = html.indexOf('-->', start);
    if (close < 0) break;
    const mark = html.slice(start + 4, close).trim();
    const end = close + 3;
    const isBlock = mark.startsWith('wp:');
    const isWhole = mark.endsWith('/');
    if (depth > 0) {
      if (isBlock && !isWhole) depth += 1;
      else if (mark.startsWith('/wp:')) depth -= 1;
      if (depth === 0) at = end;
    } else if (isBlock && HIDDEN.test(mark)) {
      shown += html.slice(at, start);
      count += 1;
      at = end;
      if (!isWhole) depth = 1;
    }
    start = html.indexOf('<!--', end);
  }
  if (count > 0) warnings.push(`blocks that are hidden there were left out: ${count}`);
  return depth > 0 ? shown : shown + html.slice(at);
}
