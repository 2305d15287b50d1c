/** The IPC channels between preload and main. Kept without imports: the preload is bundled from it. */
export const channel = 'cordon:wire'
/** From the path of a chosen file to its ticket. */
export const filesChannel = 'cordon:files'
/** What the preload adds to the page's window. */
export const filesBridge = 'cordonFiles'
