// Draws every example for docs/gallery.md and examples/README.md, every joint type for docs/joints.md, and the picture of
// the README. Called by `make gallery`.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { launch, openPage } from './tests/browser.mjs';
import { cardan, example, examples, folder, root } from './tests/command.mjs';

const kLargest = 60_000; // bytes of a picture
/** Instants at which a scene is at its best, in seconds; a third of the way through for all others. */
const kInstants = { 'knee.toml': 0, 'torus_chain_on_curve.toml': 1.2, 'walking_linkage.toml': 0.9, 'windmill.toml': 2, 'board.toml': 0.6, 'spring_pendulum.toml': 0.7, 'tippe_top.toml': 0.7, 'humanoid_falls.toml': 0.8, 'quadruped_falls.toml': 0.4, 'passive_walker.toml': 3.2 };

const pictures = join(root, 'docs/gallery');
mkdirSync(pictures, { recursive: true });
const browser = await launch();

async function draw(address, path, { quality = 82, shown = async () => {}, ...options }) {
  const { page, errors, close } = await openPage(browser, address, options);
  await shown(page);
  await page.screenshot({ path, type: 'jpeg', quality });
  await close();
  if (errors.length) throw new Error(`${path}: ${errors.join('; ')}`);
  if (statSync(path).size > kLargest) throw new Error(`${path}: ${statSync(path).size} bytes, at most ${kLargest}`);
}

const entries = [];
for (const name of examples) {
  const stem = basename(name, extname(name));
  const report = join(folder, `${stem}.html`);
  const options = name.endsWith('.urdf') ? ['--duration', '3'] : [];
  const { simulated_time: end } = JSON.parse(cardan('simulate', example(name), '--report', report, '--json', ...options));
  const t = kInstants[name] ?? end / 3;
  await draw(`file://${report}#t=${t}&bare`, join(pictures, `${stem}.jpg`), { viewport: { width: 480, height: 320 } });
  entries.push({ name, stem, t });
  console.log(`docs/gallery/${stem}.jpg`);
}

const joints = join(root, 'docs/joints');
for (const stem of readdirSync(joints).filter((name) => name.endsWith('.toml')).map((name) => basename(name, '.toml'))) {
  const report = join(folder, `joint_${stem}.html`);
  cardan('simulate', join(joints, `${stem}.toml`), '--output-every', '0.02', '--report', report);
  await draw(`file://${report}#t=1.1&bare`, join(joints, `${stem}.jpg`), { viewport: { width: 360, height: 240 } });
}
console.log('docs/joints');

await draw(`file://${join(folder, 'walking_linkage.html')}#t=0.9`, join(pictures, 'viewer.jpg'), {
  viewport: { width: 1000, height: 560 },
  quality: 40,
  async shown(page) {
    await page.evaluate(() => cardan.select(17)); // a foot: it lights up in tree and plots
    await page.waitForTimeout(500);
  },
});
await browser.close();

const cells = entries.map(({ name, stem }) => `[![${name}](gallery/${stem}.jpg)](../examples/${name})<br>[${name}](../examples/${name})`);
let table = '| | | |\n|---|---|---|\n';
for (let i = 0; i < cells.length; i += 3) table += `| ${[0, 1, 2].map((k) => cells[i + k] ?? '').join(' | ')} |\n`;
writeFileSync(join(root, 'docs/gallery.md'), `# Gallery

Every example as the viewer draws it. On the site that \`make docs\` builds, click one and it moves. Or run it yourself:

\`\`\`sh
cardan view examples/walking_linkage.toml --save walking.html
\`\`\`

${table}`);
console.log('docs/gallery.md');
