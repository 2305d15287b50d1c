import { Menu } from 'electron';

/** The least that each system expects; everything else is in the window. */
export function setMenu(platform: string): void {
  const edit: Electron.MenuItemConstructorOptions = { role: 'editMenu' };
  const view: Electron.MenuItemConstructorOptions = {
    label: 'View',
    submenu: [
      { role: 'reload' },
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
    ],
  };
  const mac: Electron.MenuItemConstructorOptions[] =
    platform === 'darwin' ? [{ role: 'appMenu' }] : [{ role: 'fileMenu' }];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...mac, edit, view, { role: 'windowMenu' }]));
}
