import { useLayoutEffect } from 'react';

import type { ConnectionColour } from '#shared/model/connection.ts';
import type { Settings } from '#shared/model/settings.ts';

/** Puts the theme on the root element; `system` leaves it to the system's preference. */
export function useTheme(theme: Settings['theme']): void {
  useLayoutEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}

/** Colours the frame of the window like its connection. */
export function useConnectionColour(colour: ConnectionColour | null): void {
  useLayoutEffect(() => {
    if (colour === null) delete document.documentElement.dataset['connection'];
    else document.documentElement.dataset['connection'] = colour;
  }, [colour]);
}
