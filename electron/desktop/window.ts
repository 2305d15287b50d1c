import { BrowserWindow, dialog, nativeTheme, screen } from 'electron';

import type { Settings } from '#shared/model/settings.ts';

import { pageOrigin } from './decisions.ts';
import type { PageAnswer, PageQuestion } from './crash.ts';
import type { LeaveQuestion } from './leave.ts';
import { placeWindow, readWindowState, smallest, writeWindowState } from './window-state.ts';

/** The one window, where it was the last time. It stays hidden until the page has painted, so nothing flashes. */
export function openWindow(preload: string, profile: string): BrowserWindow {
	const { maximized, ...bounds } = placeWindow(readWindowState(profile), displayAreas());
	const window = new BrowserWindow({
		...bounds,
		minWidth: smallest.width,
		minHeight: smallest.height,
		show: false,
		title: 'Cordon',
		backgroundColor: backgroundOf('system'),
		autoHideMenuBar: true,
		webPreferences: {
			preload,
			sandbox: true,
			contextIsolation: true,
			nodeIntegration: false,
			nodeIntegrationInWorker: false,
			nodeIntegrationInSubFrames: false,
			webviewTag: false,
			webSecurity: true,
			allowRunningInsecureContent: false,
			experimentalFeatures: false,
			navigateOnDragDrop: false,
			devTools: false,
			spellcheck: false,
		},
	});
	if (maximized) window.maximize();
	keepInSight(window);
	window.once('ready-to-show', () => window.show());
	// Also when it is only hidden: the program may end from the tray.
	window.on('close', () =>
		writeWindowState(profile, { bounds: window.getNormalBounds(), maximized: window.isMaximized() }),
	);
	// A page that cannot be loaded is to be seen as well.
	window.webContents.once('did-fail-load', () => window.show());
	load(window, `${pageOrigin}/`);
	return window;
}

/** Where a display goes while the window is open, not every system moves the window to another. */
function keepInSight(window: BrowserWindow): void {
	const look = (): void => {
		if (window.isMaximized() || window.isFullScreen()) return;
		const bounds = window.getBounds();
		const { maximized: _none, ...seen } = placeWindow({ bounds, maximized: false }, displayAreas());
		if (seen.x !== bounds.x || seen.y !== bounds.y) window.setBounds(seen);
	};
	screen.on('display-removed', look);
	window.once('closed', () => screen.off('display-removed', look));
}

/** What is seen while the window grows faster than its page is the page's own colour. */
export function paintBehind(window: BrowserWindow, theme: Settings['theme']): void {
	window.setBackgroundColor(backgroundOf(theme));
}

function backgroundOf(theme: Settings['theme']): string {
	return isDark(theme) ? '#0e1116' : '#f6f7f9';
}

function isDark(theme: Settings['theme']): boolean {
	return theme === 'system' ? nativeTheme.shouldUseDarkColors : theme !== 'light';
}

/** A navigation that another one overtakes rejects: that is no failure, and what fails is seen in the window. */
export function load(window: BrowserWindow, address: string): void {
	window.loadURL(address).catch(() => undefined);
}

/** What windows may use, the main display first. */
function displayAreas(): readonly Electron.Rectangle[] {
	const main = screen.getPrimaryDisplay();
	const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
	return [main, ...others].map(({ workArea }) => workArea);
}

export function bringToFront(window: BrowserWindow): void {
	if (window.isMinimized()) window.restore();
	window.show();
	window.focus();
}

/** Asks in front of the window; where there is none, nobody is left to be asked. */
export async function askToLeave(window: BrowserWindow | undefined, question: LeaveQuestion): Promise<boolean> {
	if (window === undefined) return true;
	bringToFront(window);
	const buttons = { buttons: ['Keep running', 'Quit Cordon'], defaultId: 0, cancelId: 0 };
	const { response } = await dialog.showMessageBox(window, { type: 'question', ...question, ...buttons });
	return response === 1;
}

const pageButtons: Readonly<Record<PageAnswer, string>> = {
	wait: 'Wait',
	reload: 'Reload page',
	quit: 'Quit Cordon',
};

export async function askOfPage(
	window: BrowserWindow | undefined,
	{ answers, ...words }: PageQuestion,
	signal: AbortSignal,
): Promise<PageAnswer> {
	if (window === undefined) return 'wait';
	bringToFront(window);
	const buttons = { buttons: answers.map((answer) => pageButtons[answer]), defaultId: 0, cancelId: 0 };
	const { response } = await dialog.showMessageBox(window, { type: 'warning', ...words, ...buttons, signal });
	return answers[response] ?? 'wait';
}
