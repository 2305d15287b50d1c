/** The one IPC channel, between preload and main. Kept without imports: the preload is bundled from it. */
export const channel = 'cordon:wire';
