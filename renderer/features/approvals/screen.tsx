import {BadgeCheck} from 'lucide-react'

import {formatCount} from '#text/numbers.ts'
import {useAsked} from '#api/hooks.tsx'
import {NavCount} from '#kit/NavCount.tsx'
import {pageAt, type Screen} from '#kit/screen.ts'
import {navWords} from '#kit/nav-words.ts'

const routes = [pageAt('/approvals', () => import('./ApprovalsScreen.tsx'), 'ApprovalsScreen')]

export const screen = {id: 'approvals', Icon: BadgeCheck, Count, routes} satisfies Screen

declare module '#kit/screen.ts' {
	interface ScreenRoutes {
		readonly approvals: typeof routes
	}
}

function Count() {
	const {data} = useAsked(q => q.approvals.list, {input: {all: false}})
	const count = data?.filter(({state}) => state === 'pending').length ?? 0
	return <NavCount count={count} words={navWords.waiting(formatCount(count))} />
}
