import type {DetectionStatus} from '#model/choices.ts'
import type {Tone} from '#ui/Tag.tsx'

export const statusTones: Readonly<Record<DetectionStatus, Tone>> = {new: 'accent', investigating: 'warn', closed: 'plain'}
