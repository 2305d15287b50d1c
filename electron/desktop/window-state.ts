/** Where the window was, and where it may open: never where no display shows it. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

export interface Area {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

const whole = z.int().min(-100_000).max(100_000);
const stateSchema = z.object({
	bounds: z.object({ x: whole, y: whole, width: whole.min(1), height: whole.min(1) }),
	maximized: z.boolean(),
});
export type WindowState = z.infer<typeof stateSchema>;

export const smallest = { width: 900, height: 560 } as const;
export const usual = { width: 1440, height: 900 } as const;

/** So much of the title has to be on a display, that it can be taken hold of (pixels). */
const grip = { width: 120, height: 32 } as const;

/**
 * Bounds for a new window. `displays` are the areas that windows may use, the first one being the main display; sizes are
 * cut to the display, and a place that no display shows (any more) is given up for the middle of the main one.
 */
export function placeWindow(
	saved: WindowState | null,
	displays: readonly Area[],
): Area & { readonly maximized: boolean } {
	const main = displays[0] ?? { x: 0, y: 0, ...usual };
	if (saved === null) return { ...centred(usual, main), maximized: false };
	const { bounds, maximized } = saved;
	const home = displays.find((display) => hasGrip(bounds, display));
	const size = {
		width: clamp(bounds.width, smallest.width, (home ?? main).width),
		height: clamp(bounds.height, smallest.height, (home ?? main).height),
	};
	const there = { ...size, x: bounds.x, y: bounds.y };
	// Cutting the size may take away the part that the display showed.
	const isSeen = home !== undefined && hasGrip(there, home);
	return { ...(isSeen ? there : centred(size, home ?? main)), maximized };
}

function hasGrip(window: Area, display: Area): boolean {
	const left = Math.max(window.x, display.x);
	const right = Math.min(window.x + window.width, display.x + display.width);
	const isTitleSeen = window.y >= display.y && window.y + grip.height <= display.y + display.height;
	return right - left >= grip.width && isTitleSeen;
}

function centred(size: { readonly width: number; readonly height: number }, display: Area): Area {
	const width = Math.min(size.width, display.width);
	const height = Math.min(size.height, display.height);
	return {
		x: display.x + Math.round((display.width - width) / 2),
		y: display.y + Math.round((display.height - height) / 2),
		width,
		height,
	};
}

/** On a display smaller than the least size, the display wins. */
function clamp(value: number, least: number, most: number): number {
	return Math.min(most, Math.max(least, value));
}

function pathIn(profile: string): string {
	return join(profile, 'window.json');
}

/** `null` when there is none, or it cannot be used. */
export function readWindowState(profile: string): WindowState | null {
	try {
		return stateSchema.parse(JSON.parse(readFileSync(pathIn(profile), 'utf8')));
	} catch {
		return null;
	}
}

/** A place that cannot be kept is no reason to stop. */
export function writeWindowState(profile: string, state: WindowState): void {
	try {
		const path = pathIn(profile);
		writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
		renameSync(`${path}.new`, path);
	} catch {
		// The window opens where it usually does.
	}
}
