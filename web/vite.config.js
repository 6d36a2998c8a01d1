// Builds the viewer as one page, dist/index.html; tools/web.sh puts it at web/viewer.html.
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: 'es2022', modulePreload: false, reportCompressedSize: false },
});
