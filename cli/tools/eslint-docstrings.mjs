// A docstring says what the thing is or does, in a plain sentence whose subject is the thing. Sentences that begin with
// one of these words describe it by a riddle instead: 'What a reader may see of a post', 'Whether it is there'.
const RIDDLE = /^\*\s*(?:\*\s*)?(What|Whether|Where|Who|Of|Whom|Whose|Whoever|Whatever|Wherever)\b/;

const plainDocstrings = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { riddle: "A docstring does not begin with '{{word}}': say what the thing is or does." },
  },
  create({ sourceCode, report }) {
    return {
      Program() {
        for (const comment of sourceCode.getAllComments()) {
          const word = comment.type === 'Block' ? RIDDLE.exec(comment.value)?.[1] : undefined;
          if (word !== undefined) report({ loc: comment.loc, messageId: 'riddle', data: { word } });
        }
      },
    };
  },
};

/** Holds in all files but tests, whose small helpers may say it as they like. */
export const docstringRules = [
  {
    files: ['**/*.{ts,tsx,mjs}'],
    ignores: ['**/*.spec.{ts,tsx}', 'test/**/*.test.ts'],
    plugins: { house: { rules: { 'plain-docstrings': plainDocstrings } } },
    rules: { 'house/plain-docstrings': 'error' },
  },
];
