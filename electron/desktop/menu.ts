import {Menu} from 'electron'

import {windowMenu, type MenuItem} from './menu-items.ts'

/** What entries of a menu lead to. */
export interface MenuActs {
	show(path: string): void
	window(): void
}

/** Called before the program is ready, or Electron builds a menu of its own first. */
export function setNoMenu() {
	Menu.setApplicationMenu(null)
}

export function setMenu(platform: string, acts: MenuActs) {
	Menu.setApplicationMenu(menuOf(windowMenu(platform), acts))
}

export function menuOf(items: readonly MenuItem[], acts: MenuActs): Menu {
	return Menu.buildFromTemplate(items.map(item => entryOf(item, acts)))
}

function entryOf(item: MenuItem, acts: MenuActs): Electron.MenuItemConstructorOptions {
	switch (item.kind) {
		case 'separator':
			return {type: 'separator'}
		case 'role':
			return {role: item.role}
		case 'folder':
			return {label: item.label, submenu: item.items.map(each => entryOf(each, acts))}
		case 'show':
			return {label: item.label, enabled: item.isOff !== true, click: () => acts.show(item.path)}
		case 'window':
			return {label: item.label, click: () => acts.window()}
		case 'text':
			return {label: item.label, enabled: false}
	}
}
