/** A profile without anything, a service that fails, and one that has nothing. */
import { addConnection, startService } from './running.mjs';
import { small } from './stage.mjs';

const screens = ['overview', 'computers', 'groups', 'policies', 'file-lists', 'events', 'log', 'instances'];

export async function showFirstStart({ profile, take }) {
  await take(profile, ['--no-sandbox'], async ({ page, picture }) => {
    await page.getByRole('heading', { name: 'Connect your service', level: 1 }).waitFor();
    await picture('first-start');
  });
}

export async function showFailed(world) {
  await against(world, ['--computers', '300', '--weather', 'GET /v1/*=500'], async ({ page, go, picture, look }) => {
    for (const screen of screens) {
      await go(`/${screen}`);
      await page.getByRole('main').getByRole('alert').first().waitFor({ timeout: 45_000 }).catch(nothing);
      await (screen === 'computers' ? picture('computers-failed') : look(`${screen}-failed`, ['light']));
    }
  });
}

/** As small as a tenant can be: the sandbox has at least one computer. */
export async function showEmpty(world) {
  await against(world, ['--computers', '1'], async ({ page, go, picture, look }) => {
    for (const screen of screens) {
      await go(`/${screen}`);
      await page.waitForTimeout(2500);
      await (screen === 'instances' ? picture('instances-empty') : look(`${screen}-empty`, ['light']));
    }
  });
}

/** At 200 %, and in the theme of high contrast. */
export async function showAdapted(world) {
  await against(world, ['--computers', '300'], async ({ page, go, look }) => {
    const more = ['search?q=FIN-LT', 'command-line', 'connections', 'settings'];
    for (const screen of [...screens, ...more]) {
      const name = screen.replace(/\?.*/, '');
      await go(`/${screen}`);
      await page.waitForTimeout(2500);
      await page.setViewportSize({ width: small.width / 2, height: small.height / 2 });
      await look(`${name}-200`, ['light']);
      await page.setViewportSize(small);
      await page.locator('html').evaluate((html) => html.setAttribute('data-theme', 'contrast'));
      await look(`${name}-contrast`, ['light']);
    }
  });
}

async function against({ program, profile, take }, args, work) {
  const service = await startService(program, args);
  try {
    await addConnection(program, profile, service, 'Test tenant');
    await take(profile, [], work);
  } finally {
    await service.stop();
  }
}

/** Without an alert the picture is worth a look as well. */
function nothing() {}
