/**
 * `node build/screenshots.mjs [folder]`: pictures of the real page for the documents, into `docs/images` or the folder.
 * They come from the headless console on its own sandbox tenant, in a profile that is thrown away.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { findChromium } from './lib/chromium.mjs';
import { ensureBuilt } from './lib/dist.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/main.mjs';
import { at } from './lib/paths.mjs';
import { say } from './lib/say.mjs';

/** An online workstation of the tenant of the default seed; the README's first isolation is the same one. */
const hostname = 'FIN-LT-0231';
const small = { width: 1280, height: 800 };
const large = { width: 1920, height: 1080 };

main(async () => {
  const node = await ensureInstalled();
  await ensureBuilt(node);
  const folder = resolve(process.argv[2] ?? at('docs', 'images'));
  mkdirSync(folder, { recursive: true });
  const profile = mkdtempSync(join(tmpdir(), 'cordon-pictures-'));
  const console = await startConsole(node, profile);
  const browser = await launch(node);
  try {
    const context = await browser.newContext({ viewport: small, locale: 'en-GB', timezoneId: 'UTC' });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(console.url);
    await tour(page, (name, themes) => shoot(page, folder, name, themes));
  } finally {
    await browser.close();
    await console.stop();
    rmSync(profile, { recursive: true, force: true });
  }
  return 0;
});

async function launch(node) {
  // After the installation: on a fresh clone the package is not there when this file is loaded.
  const { chromium } = await import('@playwright/test');
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: findChromium(node), args });
}

async function startConsole(node, profile) {
  const script = at('dist', 'node', 'headless.js');
  const args = ['--headless', '--no-open', '--json', '--port', '0', '--profile', profile];
  const child = spawn(node, [script, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(20_000) });
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { url: JSON.parse(line).url, stop };
}

/** The screens in the order in which a person meets them. */
async function tour(page, picture) {
  await showComputers(page, picture);
  await showIsolation(page, picture);
  await showLog(page, picture);
  await showInstances(page, picture);
  await showPalette(page, picture);
  await showCommandLine(page, picture);
}

async function showComputers(page, picture) {
  const list = page.getByRole('grid', { name: 'Computers' });
  await page
    .getByRole('contentinfo')
    .getByText(/data .* old/)
    .waitFor();
  await list
    .getByRole('row', { name: /isolation:/ })
    .first()
    .waitFor();
  await filter(page, 'compromised:yes');
  await list.getByRole('row', { name: new RegExp(`^${hostname},`) }).click();
  await page.keyboard.press('Space');
  await page.getByRole('complementary').waitFor();
  await picture('computers');
  await page.setViewportSize(large);
  await filter(page, 'group:Finance last_seen<1h');
  await list.getByRole('row', { name: /^FIN-LT-0013,/ }).click();
  await page.getByRole('complementary').getByText('FIN-LT-0013').waitFor();
  await picture('computers-large');
  await page.setViewportSize(small);
}

async function showIsolation(page, picture) {
  await filter(page, `name:${hostname}`);
  await page.getByRole('row', { name: new RegExp(`^${hostname},`) }).dblclick();
  await page.getByRole('button', { name: 'Isolate…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Beaconing to 203.0.113.66');
  await dialog.getByText('Now: not isolated').waitFor();
  await picture('isolate-dialog');
  await dialog.getByRole('button', { name: new RegExp(`^Isolate ${hostname} in`) }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('waiting for the agent').waitFor();
  await picture('computer-pending', ['light']);
  await page.getByRole('img', { name: 'Isolation: isolated' }).first().waitFor();
  await picture('computer-isolated');
}

async function showLog(page, picture) {
  await page.getByRole('link', { name: 'Incident log', exact: true }).click();
  const list = page.getByRole('grid', { name: 'Incident log' });
  await list.getByRole('row').filter({ hasText: 'svc_put_computers_isolation' }).first().click();
  await picture('incident-log');
}

/** A service that somebody else runs, a list of our own, and clients that call both. */
async function showInstances(page, picture) {
  const service = createServer((incoming, answer) => answer.end(`served ${incoming.url}\n`.repeat(200)));
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  await page.getByRole('link', { name: /^Instances/ }).click();
  await addInstance(page, 'reports', async (form) => {
    await form.getByRole('textbox', { name: 'Port', exact: true }).fill(String(service.address().port));
  });
  await addInstance(page, 'blocked-addresses', async (form) => {
    await form.getByText('publishes a list for firewalls').click();
    const values = Array.from({ length: 40 }, (_, index) => `198.51.100.${index + 1}`);
    await form.getByRole('textbox', { name: 'Pasted values' }).fill(values.join('\n'));
    await form.getByRole('button', { name: /Access control/ }).click();
    await page.getByRole('option', { name: /^User and password/ }).click();
    await form.getByRole('textbox', { name: 'User', exact: true }).fill('firewall');
    await form.getByRole('textbox', { name: 'Password', exact: true }).fill('a long password');
  });
  const list = page.getByRole('grid', { name: 'Instances' });
  const rows = list.getByRole('row', { name: /, healthy/ });
  await rows.nth(1).waitFor();
  const address = (name) => `${origin}/instance/execute/${name}`;
  const origin = await page
    .getByRole('region', { name: 'Forwarding server' })
    .getByText(/^https:/)
    .innerText();
  for (let round = 0; round < 12; round += 1) {
    await call(`${address('reports')}/${round % 3 === 0 ? 'weekly.html' : 'daily.html'}`);
    await call(address('blocked-addresses'), round === 4 ? 'firewall:wrong' : 'firewall:a long password');
  }
  await rows.first().click();
  await page.keyboard.press('Space');
  await page
    .getByRole('complementary')
    .getByRole('img', { name: /Requests in the last hour: \d/ })
    .waitFor();
  await picture('instances');
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Requests' }).getByRole('row', { name: /, 200/ }).first().click();
  await picture('instance');
  await page.getByRole('button', { name: 'Probe…' }).click();
  await page.locator('[aria-label="Result of the probe"][aria-busy="false"]').waitFor();
  await picture('instance-probe', ['light']);
  await page.keyboard.press('Escape');
  service.closeAllConnections();
  service.close();
}

async function addInstance(page, name, fill) {
  await page.getByRole('button', { name: 'Add instance…' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name' }).fill(name);
  await fill(form);
  await form.getByText('Expose it at the route at once').click();
  await form.getByRole('button', { name: 'Add instance', exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Back to the instances' }).click();
}

/** Only for pictures: whether clients trust the authority is not their business. */
async function call(url, auth) {
  const asked = request(url, { rejectUnauthorized: false, agent: false, ...(auth === undefined ? {} : { auth }) });
  asked.end();
  const [answer] = await once(asked, 'response');
  answer.resume();
  await once(answer, 'end');
}

async function showPalette(page, picture) {
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Search computers, groups and commands' });
  await box.fill('fin');
  await page.getByRole('option').first().waitFor();
  await picture('palette');
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'hidden' });
}

async function showCommandLine(page, picture) {
  await page.getByRole('link', { name: /^Computers/ }).click();
  await page.getByRole('button', { name: 'Command line', exact: true }).click();
  const line = page.getByRole('combobox', { name: 'Command line' });
  await line.fill('!svc_get_computers limit=6 hostname=FIN-');
  await line.press('Enter');
  const drawer = page.getByRole('region', { name: 'Command line' });
  await drawer.getByRole('row').nth(1).waitFor();
  await picture('command-line');
}

async function filter(page, text) {
  await page.getByRole('searchbox', { name: 'Filter the computers' }).fill(text);
  await page
    .getByRole('row', { name: /^FIN-LT-/ })
    .first()
    .waitFor();
}

/** One picture in each theme; what moves is given time to come to rest. */
async function shoot(page, folder, name, themes = ['light', 'dark']) {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.mouse.move(0, 0);
    await page.waitForTimeout(300);
    const path = join(folder, `${name}-${theme}.png`);
    await page.screenshot({ path, caret: 'hide', animations: 'disabled' });
    say(path);
  }
}
