/** How tests, and the sources that unit tests import, become JavaScript; `parser` adds to what is read. */
export const swcOptions = (parser) => ({
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true, ...parser },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: true,
      react: { runtime: 'automatic' },
    },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
  swcrc: false,
});
