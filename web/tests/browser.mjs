// Debian's Chromium without a graphics card: WebGL by SwiftShader. Pictures are drawn on command, never waited for.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

export async function launch() {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));
  if (!executablePath) throw new Error('no Chromium here: apt-get install chromium');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  });
}

/** Opens an address and gives the page and the list of its errors. */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!/^(file|data|blob):/.test(url) && !url.startsWith(address.split('/?')[0])) errors.push(`asks the network for ${url}`);
  });
  await page.goto(address);
  return { page, errors, close: () => context.close() };
}
