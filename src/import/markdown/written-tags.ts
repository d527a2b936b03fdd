import { readShortcodeAttributes } from '../shortcode-attributes.js';

/** A tag of a template engine, or a shortcode, as it is written. */
export interface WrittenTag {
  /** For the report: `{% include video.html %}`, `{{< figure >}}`. */
  readonly label: string;
  /** The names that it has in rules, the most exact one first, in small letters. */
  readonly names: readonly string[];
  readonly attributes: ReadonlyMap<string, string>;
  readonly values: readonly string[];
  /** True for `{% endx %}` and `{{< /x >}}`. */
  readonly isClosing: boolean;
  /** Equal for a tag and what closes it. */
  readonly pair: string;
}

const MAX_LENGTH = 4000;
const attribute =
  /([\w-]{1,60})(?:\s{0,5}=\s{0,5}|:\s{0,5}(?=[\s"'`]))(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|`([^`]*)`|([^\s,"'`]+))|"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|`([^`]*)`|([^\s,"'`]+)/g;
/** Tags whose first word says which file they include: the file is the name. */
const including = new Set(['include', 'include_relative', 'include_cached', 'render', 'partial']);

/** Reads a tag of Liquid, Nunjucks, Hugo or Zola; null for what is none of them, such as `{{ "a" | url }}`. */
export function readTag(written: string): WrittenTag | null {
  if (written.length > MAX_LENGTH) return null;
  return readHugo(written) ?? readCall(written) ?? readLiquid(written);
}

function readHugo(written: string): WrittenTag | null {
  const [, mark = '', slash, name = '', rest = ''] =
    /^\{\{([<%])\s{0,9}(\/)?\s{0,9}([\w./-]{1,80})(?=[\s>%])([^]*?)\/?\s{0,9}[>%]\}\}$/.exec(written) ?? [];
  if (name === '') return null;
  return {
    label: mark === '<' ? `{{< ${name} >}}` : `{{% ${name} %}}`,
    names: [...new Set([name.toLowerCase(), withoutEnding(name)])],
    ...readArguments(rest),
    isClosing: slash !== undefined,
    pair: `hugo ${name}`,
  };
}

/** Those of Zola, which look like calls: `{{ youtube(id="x") }}`, `{% quote(author="x") %} … {% end %}`. */
function readCall(written: string): WrittenTag | null {
  const isEnd = /^\{%-?\s{0,9}end\s{0,9}-?%\}$/.test(written);
  const isOpening = written.startsWith('{%');
  const [, name = '', rest = ''] = /^\{[{%]-?\s{0,9}([A-Za-z_]\w{0,60})\(([^]*)\)\s{0,9}-?[%}]\}$/.exec(written) ?? [];
  if (isEnd) return { label: '{% end %}', names: [], ...readArguments(''), isClosing: true, pair: 'zola' };
  if (name === '') return null;
  return {
    label: isOpening ? `{% ${name}() %}` : `{{ ${name}() }}`,
    names: [name.toLowerCase()],
    ...readArguments(rest),
    isClosing: false,
    // An expression encloses nothing, whatever follows.
    pair: isOpening ? 'zola' : '',
  };
}

function readLiquid(written: string): WrittenTag | null {
  const [, word = '', rest = ''] = /^\{%-?\s{0,9}([\w-]{1,60})(?=[\s%-])([^]*?)-?%\}$/.exec(written) ?? [];
  if (word === '') return null;
  const ended = /^end(\w+)$/.exec(word)?.[1];
  const { attributes, values } = readArguments(rest);
  const [file = ''] = values;
  const isIncluding = including.has(word) && file !== '';
  const name = isIncluding ? `${word} ${file}` : word;
  const names = isIncluding ? [name, `include ${file}`, file, withoutEnding(file)] : [word];
  return {
    label: `{% ${name} %}`,
    names: [...new Set(names.map((each) => each.toLowerCase()))],
    attributes,
    values: isIncluding ? values.slice(1) : values,
    isClosing: ended !== undefined,
    pair: `liquid ${ended ?? word}`,
  };
}

function readArguments(written: string) {
  const { attributes, values } = readShortcodeAttributes(written, attribute);
  const clean = (value: string) => value.replace(/\\(["'\\])/g, '$1');
  return {
    attributes: new Map([...attributes].map(([name, value]) => [name, clean(value)] as const)),
    values: values.map(clean),
  };
}

function withoutEnding(file: string): string {
  return (file.split('/').at(-1) ?? file).replace(/\.[A-Za-z]{2,5}$/, '').toLowerCase();
}
