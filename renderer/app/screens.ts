import type {Screen} from '#kit/screen.ts'

/** What every folder says of its screens. */
export const parts = Object.values(import.meta.glob<Screen>('../features/*/screen.tsx', {eager: true, import: 'screen'}))
