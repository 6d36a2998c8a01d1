// How pages look, as far as a machine can tell: on examples, in three sizes of window, light and dark.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, openPage } from './browser.mjs';
import { cardan, example, examples, folder, root } from './command.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const kSizes = [{ width: 1280, height: 760 }, { width: 1000, height: 640 }, { width: 390, height: 780 }];
const kLooks = 20; // instants of a run
const kMostPlots = 7;

function pageOf(name) {
  const report = join(folder, `look_${name}.html`);
  cardan('simulate', example(name), '--report', report, ...(name.endsWith('.urdf') ? ['--duration', '1'] : []));
  return `file://${report}`;
}

/** Boxes of the mechanism on the stage at instants of the whole run. */
const extents = (page) =>
  page.evaluate((looks) => {
    const end = Number(document.getElementById('scrub').max);
    return Array.from({ length: looks }, (_, i) => (cardan.place((end * i) / (looks - 1)), cardan.extent()));
  }, kLooks);

/** The mechanism is neither small nor cut off at four instants of five; or its motion fills the stage. */
function checkFraming(all, where) {
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  let small = 0;
  let large = 0;
  for (const { box, width, height } of all) {
    const [wide, high] = [box[2] - box[0], box[3] - box[1]];
    if (Math.max(wide, high) < 0.35 * Math.min(width, height)) ++small;
    if (wide > 0.9 * width || high > 0.9 * height) ++large;
    for (const k of [0, 1]) {
      bounds[k] = Math.min(bounds[k], box[k]);
      bounds[k + 2] = Math.max(bounds[k + 2], box[k + 2]);
    }
  }
  const { width, height } = all[0];
  const fills = bounds[2] - bounds[0] > 0.75 * width || bounds[3] - bounds[1] > 0.75 * height;
  assert.ok(small <= 0.2 * all.length || fills, `${where}: small at ${small} of ${all.length} instants`);
  assert.ok(large <= 0.2 * all.length, `${where}: beyond 90 % of the stage at ${large} of ${all.length} instants`);
}

/** Texts that do not fit into their elements, and labels of axes that are cut. */
const cutTexts = (page) =>
  page.evaluate(() => {
    const places = '#views button, #actions button, .chip, #clock, #tabs button, #health, figcaption span, .legend span, #scale span';
    const cut = [...document.querySelectorAll(places)].filter((e) => e.offsetParent && e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent);
    return [...cut, ...cardan.charts().filter(({ room }) => room < 1).map(({ title }) => `labels of ${title}`)];
  });

// each takes seconds where a processor draws: one example of four, or all of them (`make long`)
for (const name of examples.filter((_, i) => process.env.CARDAN_LONG || i % 4 === 0))
  test(`the page of ${name} is framed, its texts are whole, its arrows stand where bodies touch`, async () => {
    const { page, errors, close } = await openPage(browser, `${pageOf(name)}#t=0`, { viewport: kSizes[0] });
    for (const [i, size] of kSizes.entries()) {
      if (i) await page.setViewportSize(size);
      if (i) await page.waitForFunction((width) => document.getElementById('canvas').clientWidth <= width, size.width);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      checkFraming(await extents(page), `${name}, ${size.width} x ${size.height}`);
      assert.deepEqual(await cutTexts(page), [], `${name}, ${size.width} x ${size.height}`);
    }
    const plots = await page.locator('#plots figure:not(.folded)').count();
    assert.ok(plots >= 1 && plots <= kMostPlots, `${plots} plots at first`);
    await checkArrows(page);
    await page.evaluate(() => cardan.theme('dark'));
    await page.evaluate(() => cardan.seek(cardan.time()));
    assert.deepEqual(errors, []);
    await close();
  });

const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Each arrow begins at a contact point of the drawn instant, or at the mean of many, weighted by force. */
async function checkArrows(page) {
  const looks = await page.evaluate(() => {
    const end = Number(document.getElementById('scrub').max);
    return [0.1, 0.35, 0.6, 0.95].map((share) => (cardan.place(share * end), { arrows: cardan.arrows(), contacts: cardan.contacts() }));
  });
  for (const { arrows, contacts } of looks) {
    const points = [];
    for (let i = 0; i < contacts.length; i += 7) points.push(contacts.slice(i, i + 7));
    if (points.length) assert.ok(arrows.length > 0, 'contacts without arrows');
    for (const { at, points: own } of arrows) {
      for (const p of own) assert.ok(points.some((c) => apart(c, p) < 1e-6), `no contact at ${p}`);
      const force = (p) => points.filter((c) => apart(c, p) < 1e-6).reduce((most, c) => Math.max(most, Math.hypot(c[3], c[4], c[5])), 0);
      const weight = own.reduce((sum, p) => sum + force(p), 0);
      const mean = [0, 1, 2].map((k) => own.reduce((sum, p) => sum + p[k] * force(p), 0) / weight);
      assert.ok(apart(at, own.length === 1 ? own[0] : mean) < (own.length === 1 ? 1e-6 : 1e-3), `an arrow at ${at}, contacts about ${mean}`);
    }
    // what acts on bodies is what the arrows show: opposite forces of pairs are one
    const strongest = Math.max(0, ...points.map((c) => Math.hypot(c[3], c[4], c[5])));
    if (strongest) assert.ok(arrows.some(({ force }) => Math.hypot(...force) >= 0.999 * strongest), 'the strongest force has an arrow');
  }
}

const luminance = (hex) => {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
const kHex = /^#[0-9a-f]{6}$/;

test('lines and texts can be told from what is behind them, light and dark', async () => {
  const { page, errors, close } = await openPage(browser, `${pageOf('humanoid.urdf')}#t=0`, { viewport: kSizes[0] });
  await page.waitForSelector('.u-over');
  for (const theme of ['light', 'dark']) {
    const { colors, panel, sunk, text, quiet, accent } = await page.evaluate(async (name) => {
      cardan.theme(name);
      cardan.seek(cardan.time());
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); // charts are made anew
      const style = getComputedStyle(document.documentElement);
      const of = (key) => style.getPropertyValue(`--${key}`).trim().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
      return { colors: [...new Set(cardan.charts().flatMap((chart) => chart.colors))], panel: of('panel'), sunk: of('sunk'), text: of('text'), quiet: of('quiet'), accent: of('accent') };
    }, theme);
    assert.ok(colors.length >= 4 && [...colors, panel, sunk, text, quiet, accent].every((color) => kHex.test(color)), String(colors));
    for (const color of colors) assert.ok(contrast(color, panel) >= 3, `${color} on ${panel}: ${contrast(color, panel)}`);
    for (const color of [text, quiet, accent]) assert.ok(contrast(color, panel) >= 4.5, `${color} on ${panel}: ${contrast(color, panel)}`);
    assert.ok(contrast(text, sunk) >= 4.5);
  }
  assert.deepEqual(errors, []);
  await close();
});

test('the page is below 1 MB without data', () => {
  const { size } = statSync(join(root, 'web/viewer.html'));
  assert.ok(size < 1_000_000, `${size} bytes`);
});
