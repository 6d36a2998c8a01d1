// Opens every page of the site from disk in Chromium, on a wide screen and a narrow one: no console errors, nothing from
// the network, no picture that is missing, nothing wider than the screen. Called by `tools/docs.sh --look`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch, openPage } from './tests/browser.mjs';
import { root } from './tests/command.mjs';

const site = join(root, 'build/docs');
const pages = readdirSync(site, { recursive: true })
  .filter((path) => path.endsWith('.html') && !path.startsWith('_runs') && path !== 'index.html'); // leads to docs/index.html
const browser = await launch();
let faults = 0;

async function look(path, width) {
  const { page, errors, close } = await openPage(browser, `file://${site}/${path}`, { viewport: { width, height: 900 } });
  const seen = await page.evaluate(() => ({
    missing: [...document.images].filter((image) => image.complete && !image.naturalWidth).map((image) => image.src),
    overhang: document.documentElement.scrollWidth - window.innerWidth,
  }));
  await close();
  const said = [...errors, ...seen.missing.map((image) => `no picture ${image}`)];
  if (seen.overhang > 1) said.push(`${seen.overhang} pixels wider than a screen of ${width}`);
  for (const text of said) console.error(`${path}: ${text}`);
  faults += said.length;
}

for (const width of [1280, 390]) for (const path of pages) await look(path, width);
await browser.close();
console.log(`docs: ${pages.length} pages looked at, ${faults} faults`);
process.exit(faults ? 1 : 0);
