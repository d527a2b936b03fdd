// Builds the page of test/browser/post-editor*.test.ts into the folder named on the command line.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const [outDir] = process.argv.slice(2);
// As the site's build does, whatever a test has here: React ships two versions of itself.
process.env.NODE_ENV = 'production';
await build({
  configFile: fileURLToPath(new URL('../../client/vite.config.ts', import.meta.url)),
  plugins: [
    {
      name: 'only-this-page',
      config(config) {
        config.build.rollupOptions.input = { page: 'test/support/editor-page.mjs' };
      },
      // Its files under names of their own; the rest is as in the site's build.
      generateBundle(_options, bundle) {
        const files = Object.values(bundle);
        const script = files.find((file) => file.type === 'chunk' && file.isEntry)?.fileName;
        const style = files.find((file) => /style.*\.css$/.test(file.fileName))?.fileName;
        this.emitFile({ type: 'asset', fileName: '.vite/entries.json', source: JSON.stringify({ script, style }) });
      },
      enforce: 'post',
    },
  ],
  logLevel: 'warn',
  build: { outDir, manifest: false, emptyOutDir: true },
});
