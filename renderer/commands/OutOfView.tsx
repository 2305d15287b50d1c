import {counted, type Forms} from '#text/numbers.ts'

import {Button} from '#ui/Button.tsx'
import {t} from './text.ts'

interface OutOfViewProps {
	count: number
	forms: Forms
	className: string | undefined
	onShow: () => void
	onClear: () => void
}

/** Names the selection that is out of view, with buttons to show and clear it. */
export function OutOfView({count, forms, className, onShow, onClear}: OutOfViewProps) {
	return (
		<>
			<span className={className}>{t.outOfView(counted(count, forms))}</span>
			<Button small tone="quiet" onPress={onShow}>
				{t.showSelected}
			</Button>
			<Button small tone="quiet" onPress={onClear}>
				{t.clearSelection}
			</Button>
		</>
	)
}
