import { Notification } from 'electron';

import type { Notice } from '#core/ports.ts';

/** Shows a notice of the system. A click brings the window to the screen that the notice names. */
export function showNotice(notice: Notice, onClick: (path: string | null) => void): void {
  if (!Notification.isSupported()) return;
  const shown = new Notification({ title: notice.title, body: notice.body });
  shown.on('click', () => onClick(notice.open));
  shown.show();
}
