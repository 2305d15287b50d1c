/** The programs that pictures are taken of, as real processes: the console, the sandbox service, the browser. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { findChromium } from '../lib/chromium.mjs';

const startsWithinMs = 60_000;

export async function launch(node) {
	// After the installation: on a fresh clone the package is not there when this file is loaded.
	const { chromium } = await import('@playwright/test');
	const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
	return chromium.launch({ executablePath: findChromium(node), args });
}

/** The headless console on a profile; without a connection on it, with the sandbox tenant of its own. */
export function startConsole(program, profile, args = []) {
	return start(program, 'headless.js', [
		...['--headless', '--no-open', '--json', '--port', '0', '--profile', profile],
		...args,
	]);
}

/** The sandbox service by itself. `weather` sets rules such as `GET /v1/computers*=503`. */
export async function startService(program, args = []) {
	const running = await start(program, 'cli.js', ['sandbox', '--port', '0', '--json', ...args]);
	const { url, control_token: token } = running.ready;
	const weather = async (...rules) => {
		const headers = { 'X-Sandbox-Control': token, 'Content-Type': 'application/json' };
		const answer = await fetch(`${url}/sandbox/weather`, { method: 'PUT', headers, body: JSON.stringify({ rules }) });
		if (!answer.ok) throw new Error(`The weather was not set: ${answer.status}`);
	};
	return { ...running, weather };
}

/** A connection to the service on the profile, as the command line adds it. */
export async function addConnection({ node, dist }, profile, service, name) {
	const key = join(profile, '..', 'api-key');
	writeFileSync(key, service.ready.api_key, { mode: 0o600 });
	const where = ['--server', service.ready.url, '--client-id', service.ready.client_id, '--api-key-file', key];
	const words = ['connections', 'add', name, ...where, '--writable', '--environment', 'test', '--colour', 'teal'];
	await promisify(execFile)(node, [join(dist, 'node', 'cli.js'), '--profile', profile, ...words]);
}

async function start({ node, dist }, script, args) {
	const child = spawn(node, [join(dist, 'node', script), ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
	const signal = AbortSignal.timeout(startsWithinMs);
	const [line] = await once(createInterface({ input: child.stdout }), 'line', { signal });
	const stop = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		const ended = once(child, 'exit');
		child.kill('SIGTERM');
		await ended;
	};
	return { ready: JSON.parse(line), stop };
}
