// Live pages: `cardan view` behind them, moved by sliders, the mouse, formulas and files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, openPage } from './browser.mjs';
import { example, view } from './command.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** Serves a file, opens its page stopped, and ends both. */
async function withPage(file, use) {
  const server = await view(file);
  let stopped;
  const { page, errors, close } = await openPage(browser, server.address, { viewport: { width: 900, height: 560 }, reducedMotion: 'reduce' });
  try {
    await page.waitForFunction(() => window.cardan?.frames() > 0);
    await use(page, server);
    assert.deepEqual(errors, []);
    stopped = await server.stop();
    await page.waitForFunction(() => document.getElementById('state').textContent.includes('ended'));
  } finally {
    stopped ??= await server.stop();
    await close();
  }
  assert.equal(stopped.code, 0);
  assert.ok(stopped.milliseconds < 5000, `ended after ${stopped.milliseconds} ms`);
}

/** A point of a body in the world, from its pose. */
function pointOf([px, py, pz, w, x, y, z], [a, b, c]) {
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  return [px + a + w * tx + y * tz - z * ty, py + b + w * ty + z * tx - x * tz, pz + c + w * tz + x * ty - y * tx];
}
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

async function setSlider(page, label, value) {
  const frames = await page.evaluate(() => cardan.value('q.crank'));
  await page.evaluate(([name, x]) => {
    const slider = document.querySelector(`input[aria-label="Coordinate ${name}"]`);
    slider.value = x;
    slider.dispatchEvent(new Event('input'));
    slider.dispatchEvent(new Event('change'));
  }, [label, value]);
  await page.waitForFunction((old) => cardan.value('q.crank') !== old, frames);
}

test('it plays live, pauses, steps and resets', () =>
  withPage(example('pendulum.toml'), async (page) => {
    await page.click('#play');
    await page.waitForFunction(() => cardan.time() > 0.5);
    assert.ok(await page.evaluate(() => cardan.playing()));
    await page.click('#play');
    await page.waitForFunction(() => !cardan.playing());
    const t = await page.evaluate(() => cardan.time());
    await page.click('#forth');
    await page.waitForFunction((old) => cardan.time() > old, t);
    await page.click('text=Reset');
    await page.waitForFunction(() => cardan.time() === 0);
  }));

test('looking back while it plays stops it there', () =>
  withPage(example('pendulum.toml'), async (page) => {
    await page.click('#play');
    await page.waitForFunction(() => cardan.time() > 0.5);
    await page.evaluate(() => {
      const scrub = document.getElementById('scrub');
      scrub.value = 0.2;
      scrub.dispatchEvent(new Event('input'));
    });
    await page.waitForFunction(() => !cardan.playing());
    const t = await page.evaluate(() => cardan.time());
    assert.ok(Math.abs(t - 0.2) < 0.02, `t = ${t}`);
    await page.click('#play');
    await page.waitForFunction(() => cardan.time() > 0.5);
  }));

test('a slider that asks for more than its branch has goes as far as it can and says so', () =>
  withPage(example('four_bar.toml'), async (page) => {
    await setSlider(page, 'rocker', 1.0);
    await page.waitForFunction(() => document.getElementById('notice').textContent.includes('joint "rocker" goes to 1.486, not to 1'));
    await setSlider(page, 'rocker', 2.0);
    assert.ok(Math.abs((await page.evaluate(() => cardan.value('q.rocker'))) - 2.0) < 1e-9);
  }));

test('a slider moves its joint and the loop closes again', () =>
  withPage(example('four_bar.toml'), async (page) => {
    for (const angle of [1.4, 0.9, 0.2]) {
      await setSlider(page, 'crank', angle);
      assert.ok(Math.abs((await page.evaluate(() => cardan.value('q.crank'))) - angle) < 1e-9);
      const poses = await page.evaluate(() => cardan.poses());
      const gap = distance(pointOf(poses.coupler, [1.8, 0, 0]), pointOf(poses.rocker, [1.5, 0, 0]));
      assert.ok(gap < 1e-6, `the pin is open by ${gap}`);
    }
  }));

test('Shift and the mouse pull a body', () =>
  withPage(example('pendulum.toml'), async (page) => {
    const start = await page.evaluate(() => (cardan.poses(), cardan.screen(2)));
    const goal = [start[0] + 120, start[1] - 60];
    const fromGoal = async () => {
      const at = await page.evaluate(() => (cardan.poses(), cardan.screen(2)));
      return Math.hypot(at[0] - goal[0], at[1] - goal[1]);
    };
    const far = await fromGoal();
    await page.keyboard.down('Shift');
    await page.mouse.move(...start);
    await page.mouse.down();
    await page.mouse.move(...goal, { steps: 5 });
    let nearest = far;
    for (let i = 0; i < 60 && nearest > 0.5 * far; ++i) {
      await page.waitForTimeout(50);
      nearest = Math.min(nearest, await fromGoal());
    }
    assert.ok(nearest < 0.5 * far, `from ${far} to ${nearest} pixels`);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    assert.equal(await page.evaluate(() => cardan.selected()), 2);
  }));

test('a good formula changes the motion at once, a broken one shows where', () =>
  withPage(example('knee.toml'), async (page) => {
    const offset = async () => {
      const { thigh, shin } = await page.evaluate(() => cardan.poses());
      const inverse = [0, 0, 0, thigh[3], -thigh[4], -thigh[5], -thigh[6]];
      return pointOf(inverse, [shin[0] - thigh[0], shin[1] - thigh[1], shin[2] - thigh[2]]);
    };
    const area = page.locator('textarea[aria-label="Formula of shin"]');
    await area.fill('trans(0.25, 0, 0) * rotq(flexion)');
    await page.waitForFunction(() => document.querySelector('.formula pre').textContent.includes('^'));
    assert.equal(await area.getAttribute('aria-invalid'), 'true');
    assert.match(await page.textContent('.formula pre'), /rotq/);
    const kept = await offset();
    assert.ok(kept[0] < 0, 'a broken formula changes nothing');
    await area.fill('trans(0.25, 0, 0) * roty(flexion)');
    await page.waitForFunction(() => document.querySelector('.formula pre').textContent === '');
    await page.waitForFunction(() => document.querySelector('.formula textarea').getAttribute('aria-invalid') === 'false');
    assert.ok(distance(await offset(), [0.25, 0, -0.42]) < 1e-6, `${await offset()}`);
    await page.click('#play');
    await page.waitForFunction(() => cardan.time() > 0.3);
    assert.ok(distance(await offset(), [0.25, 0, -0.42]) < 1e-6);
  }));

test('the slider of a parameter changes the scene while it runs; what makes no sense is said in place', () =>
  withPage(example('cart_pole.toml'), async (page) => {
    await page.click('#play');
    await page.waitForFunction(() => cardan.time() > 0.3);
    const camera = await page.evaluate(() => cardan.screen(1));
    await page.evaluate(() => {
      const slider = document.querySelector('input[aria-label="Parameter length"]');
      for (const value of [1.2, 1.4, 1.6]) {
        slider.value = value;
        slider.dispatchEvent(new Event('input'));
      }
    });
    await page.waitForFunction(() => Math.abs(cardan.parameter('length') - 1.6) < 1e-9);
    assert.ok((await page.evaluate(() => cardan.time())) > 0.3, 'the motion goes on');
    assert.ok(await page.evaluate(() => cardan.playing()));
    assert.equal(camera.length, 2);
    // the tip is a length from the pivot
    const reach = await page.evaluate(() => {
      const { pole } = cardan.poses();
      return Math.hypot(cardan.value('tip.x') - pole[0], cardan.value('tip.y') - pole[1], cardan.value('tip.z') - pole[2]);
    });
    assert.ok(Math.abs(reach - 1.6) < 1e-6, `${reach}`);
    await page.fill('input[aria-label="Value of length"]', '-1');
    await page.dispatchEvent('input[aria-label="Value of length"]', 'change');
    await page.waitForFunction(() => document.querySelector('#move .problem').textContent.includes('cart_pole.toml:'));
    assert.equal(await page.getAttribute('input[aria-label="Value of length"]', 'aria-invalid'), 'true');
    assert.ok(Math.abs((await page.evaluate(() => cardan.parameter('length'))) - 1.6) < 1e-9);
    await page.click('button[aria-label="length as in the file"]');
    await page.waitForFunction(() => cardan.parameter('length') === 1);
    assert.equal(await page.textContent('#move .problem'), '');
  }));

test('contacts are arrows in a live page, too', () =>
  withPage(example('stack.toml'), async (page) => {
    // what stands has its forces from the start
    assert.ok((await page.evaluate(() => cardan.contacts())).length >= 6);
    await page.click('#play');
    await page.waitForFunction(() => cardan.contacts().length >= 6);
  }));

test('a dropped robot is opened, a broken one is explained', () =>
  withPage(example('four_bar.toml'), async (page) => {
    const drop = (name, text) =>
      page.evaluate(([file, content]) => {
        const files = new DataTransfer();
        files.items.add(new File([content], file));
        document.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
      }, [name, text]);
    await drop('double_pendulum.urdf', readFileSync(example('double_pendulum.urdf'), 'utf8'));
    await page.waitForFunction(() => document.title.startsWith('double_pendulum'));
    await page.waitForFunction(() => Object.keys(cardan.poses()).length === 2);
    await drop('broken.urdf', '<robot name="x">\n<link name="a"/><joint/></robot>');
    await page.waitForSelector('#notice:visible');
    assert.match(await page.textContent('#notice'), /broken\.urdf:2/);
    assert.equal(await page.evaluate(() => Object.keys(cardan.poses()).length), 2);
  }));
