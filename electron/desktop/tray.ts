import { nativeImage, Tray } from 'electron';

import { menuOf, type MenuActs } from './menu.ts';
import { trayMenu, trayTip, type TrayFacts } from './menu-items.ts';
import { trayBitmap } from './tray-icon.ts';

export interface TrayHandle {
  update(facts: TrayFacts): void;
  close(): void;
}

/** Puts Cordon into the tray. Some systems have none: then there is only the window. */
export function openTray(facts: TrayFacts, acts: MenuActs): TrayHandle {
  const tray = new Tray(imageOf(facts));
  let shown = '';
  const update = (next: TrayFacts): void => {
    const text = JSON.stringify(next);
    // A menu that is set anew closes under the pointer.
    if (text === shown) return;
    shown = text;
    tray.setImage(imageOf(next));
    tray.setToolTip(trayTip(next));
    tray.setContextMenu(menuOf(trayMenu(next), acts));
  };
  tray.on('click', () => acts.window());
  update(facts);
  return { update, close: () => tray.destroy() };
}

function imageOf({ notices, pending }: TrayFacts): Electron.NativeImage {
  const [once, twice] = [16, 32].map((size) => trayBitmap(size, notices > 0 || pending > 0));
  if (once === undefined || twice === undefined) return nativeImage.createEmpty();
  const image = nativeImage.createFromBitmap(once.pixels, { width: once.size, height: once.size });
  image.addRepresentation({ scaleFactor: 2, width: twice.size, height: twice.size, buffer: twice.pixels });
  return image;
}
