import { BrowserWindow, ipcMain, safeStorage, shell, webUtils } from 'electron'; // expect: cordon(privilege) cordon(privilege) cordon(privilege) cordon(privilege)
import { startServer } from '../headless/server.ts'; // expect: cordon(imports)
export const window = new BrowserWindow(); // expect: cordon(privilege)
export const used = [ipcMain, safeStorage, shell, startServer, webUtils];
