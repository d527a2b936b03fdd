// The house's own lint rules, in the form of a plug-in. test/integration/lint-rules.test.ts proves each of them.
import { dirname, relative, resolve, sep } from 'node:path';

// A docstring says what the thing is or does, in a plain sentence whose subject is the thing. Sentences that begin with
// one of these words describe it by a riddle instead: 'What a reader may see of a post', 'Whether it is there'.
const RIDDLE = /^\*\s*(?:\*\s*)?(What|Whether|Where|Who|Of|Whom|Whose|Whoever|Whatever|Wherever)\b/;
const EXTENSION = /\.[a-z]+$/;
const SQL =
  /^\s*(select\s.+\sfrom|insert\s+into|update\s.+\sset|delete\s+from|(create|alter|drop)\s+(table|database|index))\s/is;

const plainDocstrings = {
  meta: { type: 'suggestion' },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        const word = comment.type === 'Block' ? RIDDLE.exec(comment.value)?.[1] : undefined;
        const message = `A docstring does not begin with '${word}': say what the thing is or does.`;
        if (word !== undefined) context.report({ loc: comment.loc, message });
      }
    },
  }),
};

/** Refuses imports of files that the options do not name: `{mayImport: paths of files and folders, message}`. */
const importDirections = {
  meta: { type: 'problem', schema: [{ type: 'object' }] },
  create(context) {
    const [{ mayImport, message }] = context.options;
    const open = mayImport.map((path) => path.replace(EXTENSION, ''));
    const check = ({ source }) => {
      const name = source?.value;
      if (typeof name !== 'string' || !name.startsWith('.')) return;
      const file = resolve(dirname(context.filename), name.replace(/\?.*$/, ''));
      const path = relative(context.cwd, file).split(sep).join('/').replace(EXTENSION, '');
      if (open.some((each) => path === each || path.startsWith(`${each}/`))) return;
      context.report({ node: source, message: `'${name}' is out of reach. ${message}` });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
      TSImportType: check,
    };
  },
};

const noSql = {
  meta: { type: 'problem' },
  create(context) {
    const check = (node, text) => {
      if (SQL.test(text)) context.report({ node, message: 'The command line holds no SQL: ask a service.' });
    };
    return {
      Literal: (node) => check(node, String(node.value)),
      TemplateElement: (node) => check(node, node.value.raw),
    };
  },
};

/** Refuses strings, templates and patterns in which this is found. */
const refuseText = (refused, message) => ({
  meta: { type: 'problem' },
  create(context) {
    const check = (node, text) => {
      if (refused.test(text)) context.report({ node, message });
    };
    return {
      Literal: (node) => check(node, node.regex?.pattern ?? String(node.value)),
      TemplateElement: (node) => check(node, node.value.raw),
    };
  },
});

const noHas = refuseText(
  /:has\(/,
  'Firefox before 121 refuses a selector with :has() in scripts: look into the elements that are found.',
);

const noLookbehind = refuseText(
  /\(\?<[=!]/,
  'Safari before 16.4 reads no file in which a pattern looks behind: take the character before as well.',
);

export default {
  meta: { name: 'house' },
  rules: {
    'import-directions': importDirections,
    'no-has': noHas,
    'no-lookbehind': noLookbehind,
    'no-sql': noSql,
    'plain-docstrings': plainDocstrings,
  },
};
