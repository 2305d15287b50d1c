import {useState, type ReactNode} from 'react'

import {Disclosure} from '#ui/Disclosure.tsx'

export function Folded({title, children}: {title: string; children: ReactNode}) {
	const [isOpen, setOpen] = useState(false)
	return (
		<Disclosure title={title} isOpen={isOpen} onToggle={setOpen}>
			{children}
		</Disclosure>
	)
}
