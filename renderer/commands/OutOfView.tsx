import {counted, type Forms} from '#shared/text/numbers.ts'

import {Button} from '../ui/Button.tsx'
import {t} from './text.ts'

interface OutOfViewProps {
	readonly count: number
	/** `['selected group is', 'selected groups are']` */
	readonly forms: Forms
	readonly className: string | undefined
	readonly onShow: () => void
	readonly onClear: () => void
}

/** What is selected cannot be seen: it is named, can be shown, and can be cleared. */
export function OutOfView({count, forms, className, onShow, onClear}: OutOfViewProps) {
	return (
		<>
			<span className={className}>{t.outOfView(counted(count, forms))}</span>
			<Button size="small" tone="quiet" onPress={onShow}>
				{t.showSelected}
			</Button>
			<Button size="small" tone="quiet" onPress={onClear}>
				{t.clearSelection}
			</Button>
		</>
	)
}
