// Pages of finished runs: every example's loads without an error and draws the bodies where the CSV has them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, openPage } from './browser.mjs';
import { cardan, csvRows, evaluatedPoses, example, examples, folder } from './command.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const pageOf = (name) => join(folder, `${name}.html`);
function simulate(name, ...options) {
  const duration = options.includes('--duration') ? [] : ['--duration', '1'];
  cardan('simulate', example(name), ...duration, '--out', join(folder, `${name}.csv`), '--report', pageOf(name), ...options);
  return `file://${pageOf(name)}`;
}

/** The rotation matrix of a quaternion (w, x, y, z). */
function matrix([w, x, y, z]) {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

for (const name of examples)
  test(`the page of ${name} draws the bodies where the CSV has them`, async () => {
    const address = simulate(name);
    const rows = csvRows(join(folder, `${name}.csv`));
    const { page, errors, close } = await openPage(browser, `${address}#t=0`, { viewport: { width: 420, height: 300 } });
    const info = JSON.parse(cardan('info', example(name), '--json'));
    assert.ok((await page.title()).includes(info.name));
    const chosen = [0, Math.floor(rows.length / 3), rows.length - 1].map((i) => rows[i]);
    const shown = await page.evaluate((times) => times.map((t) => (cardan.seek(t), cardan.poses())), chosen.map((row) => row.t));
    const states = chosen.map((row) => ({ q: Object.keys(row).filter((key) => key.startsWith('q.')).map((key) => row[key]) }));
    const bodies = info.bodies.map((body) => body.name);
    const some = bodies.filter((_, i) => bodies.length <= 4 || i % Math.ceil(bodies.length / 4) === 0 || i === bodies.length - 1);
    for (const body of some)
      evaluatedPoses(example(name), body, states).forEach(({ R, p }, k) => {
        const got = shown[k][body];
        for (let i = 0; i < 3; ++i) {
          assert.ok(Math.abs(got[i] - p[i]) < 1e-6, `${body} at t = ${chosen[k].t}: ${got.slice(0, 3)} and ${p}`);
          const turned = matrix(got.slice(3));
          for (let j = 0; j < 3; ++j) assert.ok(Math.abs(turned[i][j] - R[i][j]) < 1e-6, `${body} turned at t = ${chosen[k].t}`);
        }
      });
    assert.deepEqual(errors, []);
    await close();
  });

test('play, scrub, step, speed and loop', async () => {
  const { page, errors, close } = await openPage(browser, `${simulate('four_bar.toml')}#t=0.25`, { viewport: { width: 420, height: 300 } });
  const time = () => page.evaluate(() => cardan.time());
  assert.equal(await time(), 0.25);
  assert.equal(await page.evaluate(() => cardan.playing()), false);
  await page.keyboard.press(' ');
  await page.waitForFunction(() => cardan.time() > 0.3);
  await page.keyboard.press(' ');
  const stopped = await time();
  await page.waitForTimeout(100);
  assert.equal(await time(), stopped);
  await page.evaluate(() => {
    const scrub = document.getElementById('scrub');
    scrub.value = 0.7;
    scrub.dispatchEvent(new Event('input'));
  });
  assert.ok(Math.abs((await time()) - 0.7) < 1e-9);
  await page.keyboard.press('ArrowRight');
  assert.ok(Math.abs((await time()) - 0.71) < 1e-9);
  await page.keyboard.press('Shift+ArrowLeft');
  assert.ok(Math.abs((await time()) - 0.61) < 1e-9);
  await page.keyboard.press('End');
  assert.equal(await time(), 1);
  await page.keyboard.press(' '); // loops: begins again
  await page.waitForFunction(() => cardan.time() < 0.9);
  await page.evaluate(() => (location.hash = '#t=0.5'));
  await page.waitForFunction(() => cardan.time() === 0.5 && !cardan.playing());
  assert.deepEqual(errors, []);
  await close();
});

test('a click on a body selects it in picture, tree and plots; search, hide, trace, follow, layers, themes, help', async () => {
  const { page, errors, close } = await openPage(browser, `${simulate('stewart_platform.toml')}#t=0.5`);
  const [x, y] = await page.evaluate(() => (cardan.poses(), cardan.screen(1)));
  await page.mouse.click(x, y);
  const body = await page.evaluate(() => cardan.selected());
  assert.ok(body > 0);
  const name = await page.textContent('#tree [aria-selected="true"] .name');
  assert.equal(await page.textContent('#inspector h2'), name);
  assert.match(await page.textContent('#inspector'), /mass.*kg.*joint/s);
  await page.waitForSelector('.legend .lit');
  assert.ok((await page.getAttribute('.legend .lit', 'title')).includes(name));
  const before = await page.screenshot();
  await page.click('#inspector button:has-text("Trace")');
  await page.click('#inspector button:has-text("Follow")');
  for (const layer of ['axes', 'coms', 'frames']) await page.check(`#layer-${layer}`);
  await page.evaluate(() => cardan.seek(0.8));
  assert.notDeepEqual(await page.screenshot(), before);
  await page.fill('#search', 'piston 1');
  assert.equal(await page.locator('#tree li:visible').count(), 1);
  await page.fill('#search', '');
  await page.locator('#tree li[aria-selected] input').first().uncheck();
  assert.equal(await page.locator('#tree li.off').count(), 1);
  await page.locator('#canvas').focus();
  await page.keyboard.press('d');
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  await page.keyboard.press('h');
  assert.ok(await page.isVisible('#keys'));
  await page.keyboard.press('Escape');
  assert.ok(!(await page.isVisible('#keys')));
  for (const key of ['1', '2', '3', '0', 'g', 'Escape']) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => cardan.selected()), 0);
  await page.click('#tabs [data-tab="run"]');
  assert.ok(await page.isVisible('#run >> text=energy'));
  assert.match(await page.textContent('#run'), /command\s*cardan simulate .*stewart_platform\.toml --duration 1.*cardan\s*\d+\.\d+/s);
  assert.deepEqual(errors, []);
  await close();
});

test('plots share the cursor, a click in one goes to that instant', async () => {
  const { page, errors, close } = await openPage(browser, `${simulate('spring_pendulum.toml')}#t=0`);
  const over = page.locator('.u-over').first();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 40);
  const t = await page.evaluate(() => (cardan.poses(), cardan.time())); // draws now
  assert.ok(Math.abs(t - 0.5) < 0.02, `t = ${t}`);
  const value = page.locator('.legend [title="q.rod"] b');
  await value.scrollIntoViewIfNeeded(); // numbers of plots out of sight wait until these are seen
  await page.waitForFunction(() => document.querySelector('.legend [title="q.rod"] b').textContent !== '');
  const shown = Number((await value.textContent()).trim().replace('\u2212', '-'));
  const row = csvRows(join(folder, 'spring_pendulum.toml.csv')).reduce((a, b) => (Math.abs(b.t - t) < Math.abs(a.t - t) ? b : a));
  assert.ok(Math.abs(shown - row['q.rod']) < 0.02, `${shown} and ${row['q.rod']}`);
  await over.scrollIntoViewIfNeeded();
  const again = await over.boundingBox();
  await page.mouse.move(again.x + 0.2 * again.width, again.y + 40);
  await page.waitForFunction(() => {
    // as a share of each plot's width, which its labels may make narrower
    const share = (line) => Number(/-?[\d.]+/.exec(line.style.transform)?.[0] ?? NaN) / line.closest('.u-over').clientWidth;
    const places = [...document.querySelectorAll('.u-cursor-x')].map(share);
    return places.length > 1 && places.every((place) => Math.abs(place - 0.2) < 0.03);
  });
  assert.deepEqual(errors, []);
  await close();
});

test('a plot is saved as SVG and as CSV', async () => {
  const { page, errors, close } = await openPage(browser, `${simulate('cart_pole.toml')}#t=0`);
  const saved = async (kind) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`figure[aria-label="tip"] button:has-text("${kind}")`)]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  };
  const csv = await saved('CSV');
  assert.equal(csv.name, 'cart_and_pole_tip.csv');
  const lines = csv.text.trim().split('\n');
  assert.equal(lines[0], 't,tip.x,tip.y,tip.z');
  const rows = csvRows(join(folder, 'cart_pole.toml.csv'));
  assert.equal(lines.length - 1, rows.length);
  const last = lines.at(-1).split(',').map(Number);
  for (const [i, name] of ['t', 'tip.x', 'tip.y', 'tip.z'].entries()) assert.ok(Math.abs(last[i] - rows.at(-1)[name]) < 1e-6, name);
  const svg = await saved('SVG');
  assert.equal(svg.name, 'cart_and_pole_tip.svg');
  const drawn = await page.evaluate((text) => {
    const tree = new DOMParser().parseFromString(text, 'image/svg+xml');
    return { error: tree.querySelector('parsererror')?.textContent, lines: tree.querySelectorAll('polyline').length, texts: [...tree.querySelectorAll('text')].map((t) => t.textContent) };
  }, svg.text);
  assert.equal(drawn.error, undefined);
  assert.equal(drawn.lines, 3);
  for (const text of ['tip (m)', 'x', 'y', 'z', 't (s)']) assert.ok(drawn.texts.includes(text), text);
  assert.deepEqual(errors, []);
  await close();
});

test('what is fixed to the world is in the list and can be hidden', async () => {
  const { page, errors, close } = await openPage(browser, `${simulate('humanoid.urdf')}#t=0`);
  const names = await page.locator('#tree li[aria-selected] .name').allTextContents();
  assert.equal(names[0], 'torso');
  assert.equal(names.length, JSON.parse(cardan('info', example('humanoid.urdf'), '--json')).bodies.length + 1);
  const row = page.locator('#tree li[aria-selected]').first();
  await row.locator('input').uncheck();
  assert.ok(await row.evaluate((item) => item.classList.contains('off')));
  await page.fill('#search', 'fixed');
  assert.deepEqual(await page.locator('#tree li:visible .name').allTextContents(), ['torso']);
  assert.deepEqual(errors, []);
  await close();
});

test('bare pages fill the window; phones have everything in reach', async () => {
  const address = simulate('knee.toml');
  const bare = await openPage(browser, `${address}#t=0.5&bare`, { viewport: { width: 400, height: 300 } });
  assert.deepEqual(await bare.page.$eval('canvas', (c) => [c.clientWidth, c.clientHeight]), [400, 300]);
  assert.ok(!(await bare.page.isVisible('header')) && !(await bare.page.isVisible('#transport')));
  assert.deepEqual(bare.errors, []);
  await bare.close();
  const phone = await openPage(browser, address, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  for (const tab of ['bodies', 'plots', 'run']) {
    await phone.page.tap(`#tabs [data-tab="${tab}"]`);
    assert.ok(await phone.page.isVisible(`#${tab}`));
  }
  assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(phone.errors, []);
  await phone.close();
});

test('pictures are saved twice as fine, films frame by frame', async () => {
  const { page, errors, close } = await openPage(browser, `${simulate('pendulum.toml', '--duration', '0.1')}#t=0`, { viewport: { width: 320, height: 240 } });
  const saved = async (button) => {
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), page.evaluate((id) => document.getElementById(id).click(), button)]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const stage = await page.$eval('canvas', (c) => [c.clientWidth, c.clientHeight]);
  const picture = await saved('picture');
  assert.equal(picture.name, 'double_pendulum.png');
  assert.ok(picture.bytes.length > 2000, `${picture.bytes.length} bytes`);
  assert.deepEqual([picture.bytes.readUInt32BE(16), picture.bytes.readUInt32BE(20)], stage.map((x) => 2 * x));
  const film = await saved('video');
  assert.equal(film.name, 'double_pendulum.mp4');
  const samples = film.bytes.indexOf('stsz');
  assert.equal(film.bytes.readUInt32BE(samples + 12), 6); // 0.1 s at 60 frames a second
  const place = film.bytes.indexOf('tkhd');
  assert.deepEqual([film.bytes.readUInt32BE(place + 80), film.bytes.readUInt32BE(place + 84)], [1920 * 65536, 1080 * 65536]);
  assert.equal(await page.evaluate(() => cardan.time()), 0); // it is where it was
  assert.deepEqual(await page.$eval('canvas', (c) => [c.clientWidth, c.clientHeight]), stage);
  // the browser plays it
  const length = await page.evaluate(async (data) => {
    const video = document.createElement('video');
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(data)], { type: 'video/mp4' }));
    await new Promise((done, failed) => ((video.onloadeddata = done), (video.onerror = () => failed(video.error.message))));
    return [video.duration, video.videoWidth];
  }, [...film.bytes]);
  assert.ok(Math.abs(length[0] - 0.1) < 1e-3 && length[1] === 1920, String(length));
  assert.deepEqual(errors, []);
  await close();
});

const size = (a, b = [0, 0, 0]) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

test('contact forces are arrows that carry the weight of what lies on the ground', async () => {
  const address = simulate('stack.toml');
  const info = JSON.parse(cardan('info', example('stack.toml'), '--json'));
  const weight = 9.81 * info.bodies.reduce((sum, body) => sum + body.mass, 0);
  const { page, errors, close } = await openPage(browser, `${address}#t=1`);
  const arrows = await page.evaluate(() => cardan.contacts());
  assert.ok(arrows.length > 0 && arrows.length % 7 === 0);
  // those on the ground hold all of it; those between two bodies come in opposite pairs
  let up = 0;
  let sum = 0;
  for (let i = 0; i < arrows.length; i += 7) {
    sum += arrows[i + 5];
    if (Math.abs(arrows[i + 2]) < 1e-3) up += arrows[i + 5];
  }
  assert.ok(Math.abs(up - weight) < 0.02 * weight, `${up} N on the ground, ${weight} N of weight`);
  assert.ok(Math.abs(sum - weight) < 0.02 * weight, `${sum} N together`);
  assert.equal(await page.evaluate(() => cardan.ground()), 0);
  const drawn = await page.screenshot();
  await page.uncheck('#layer-contacts');
  await page.evaluate(() => cardan.seek(1));
  assert.notDeepEqual(await page.screenshot(), drawn);
  assert.deepEqual(errors, []);
  await close();
});

test('a line over a surface follows it: as long as the tendon that is recorded, and never inside', async () => {
  const scene = `cardan = 1
name = "pulley"
gravity = [0, 0, 0]
[[body]]
name = "arm"
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
[body.joint]
type = "revolute"
axis = [0, 0, 1]
v = [-0.5]
[[force]]
type = "cable"
name = "rope"
stiffness = 1
rest = 0.1
points = [{ body = "world", at = [-1, 0, 0] }, { body = "arm", at = [1, 0, 0] }]
wraps = [{ body = "world", cylinder = 0.3, side = [0, 1, 0] }]
[[record]]
name = "length"
cable = "rope"
quantity = "length"
[simulation]
duration = 1
`;
  const file = join(folder, 'pulley.toml');
  writeFileSync(file, scene);
  cardan('simulate', file, '--report', pageOf('pulley'));
  const { page, errors, close } = await openPage(browser, `file://${pageOf('pulley')}#t=0`, { viewport: { width: 420, height: 300 } });
  for (const t of [0, 0.5, 1]) {
    const { points, length } = await page.evaluate((at) => (cardan.seek(at), { points: cardan.line('rope'), length: cardan.value('length') }), t);
    const drawn = points.slice(1).reduce((sum, point, i) => sum + size(point, points[i]), 0);
    assert.ok(Math.abs(drawn - length) < 0.002 * length, `${drawn} and ${length} m at t = ${t}`);
    for (const [x, y] of points) assert.ok(Math.hypot(x, y) > 0.3 - 1e-6, `${x}, ${y} is inside`);
    assert.ok(points.filter(([x, y]) => Math.hypot(x, y) < 0.3 + 1e-6).length > 8, 'the arc is drawn');
  }
  assert.deepEqual(errors, []);
  await close();
});

test('plots: records first, by joint and unit with the names of its coordinates, phase plots on request', async () => {
  const { page, errors, close } = await openPage(browser, `${simulate('cart_pole.toml')}#t=0.5`);
  const titles = await page.$$eval('#plots figure', (all) => all.map((f) => f.getAttribute('aria-label')));
  assert.deepEqual(titles.slice(0, 3), ['tip', 'push', 'work']);
  assert.ok(titles.indexOf('Angles') > 2 && titles.indexOf('Displacements') > 2);
  assert.equal(await page.textContent('figure[aria-label="tip"] .legend span').then((text) => text.replace(/[\u2212\d.]+$/, '')), 'x');
  await page.selectOption('select[aria-label="Vertical axis"]', { label: 'v.pole' });
  await page.selectOption('select[aria-label="Horizontal axis"]', { label: 'q.pole' });
  await page.click('.phase-choice button');
  assert.ok(await page.isVisible('figure[aria-label="v.pole over q.pole"] canvas'));
  await page.click('figure[aria-label="v.pole over q.pole"] button');
  assert.equal(await page.locator('figure.phase').count(), 0);
  assert.deepEqual(errors, []);
  await close();
});

test('a chain of 1,000 bodies loads', async () => {
  let scene = 'cardan = 1\nname = "long chain"\n';
  for (let i = 1; i <= 1000; ++i)
    scene += `[[body]]\nname = "b${i}"\nparent = "${i === 1 ? 'world' : `b${i - 1}`}"\n[body.joint]\ntype = "revolute"\naxis = [0, 1, 0]\nat = { xyz = [0, 0, -0.1] }\nq = [0.001]\n[[body.shape]]\ncapsule = { radius = 0.02, length = 0.06 }\nat = { xyz = [0, 0, -0.05] }\ndensity = 1000\n`;
  const file = join(folder, 'long.toml');
  writeFileSync(file, scene);
  cardan('simulate', file, '--duration', '0.02', '--step', '0.01', '--report', pageOf('long'));
  const { page, errors, close } = await openPage(browser, `file://${pageOf('long')}#t=0.02`, { viewport: { width: 1000, height: 640 } });
  assert.equal(await page.evaluate(() => Object.keys(cardan.poses()).length), 1000);
  assert.equal(await page.locator('#tree li[aria-selected]').count(), 1000);
  assert.equal(await page.locator('#tree li:visible').count(), 1); // folded: their names differ by a number
  assert.deepEqual(errors, []);
  await close();
});
