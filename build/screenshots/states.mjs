/** A profile without anything, a service that fails, and one that has nothing. */
import { addConnection, startService } from './running.mjs';

const screens = ['overview', 'computers', 'groups', 'policies', 'file-lists', 'events', 'log', 'instances'];

export async function showFirstStart({ profile, take }) {
  await take(profile, ['--no-sandbox'], async ({ page, picture }) => {
    await page.getByRole('heading', { name: 'Connect your service', level: 1 }).waitFor();
    await picture('first-start');
  });
}

export async function showFailed(world) {
  await against(world, ['--computers', '300', '--weather', 'GET /v1/*=500'], async ({ page, go, look }) => {
    for (const screen of screens) {
      await go(`/${screen}`);
      await page.getByRole('main').getByRole('alert').first().waitFor({ timeout: 45_000 }).catch(nothing);
      await look(`${screen}-failed`, ['light']);
    }
  });
}

/** As small as a tenant can be. */
export async function showEmpty(world) {
  await against(world, ['--computers', '1'], async ({ page, go, look }) => {
    for (const screen of screens) {
      await go(`/${screen}`);
      await page.waitForTimeout(2500);
      await look(`${screen}-empty`, ['light']);
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
