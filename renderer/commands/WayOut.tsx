import {useUi} from '#state/ui.tsx'
import {Link} from '#ui/Button.tsx'

/** A link out of a dialog: those of the frame would stay over the screen that it leads to. */
export function WayOut({href, children}: {href: string; children: string}) {
	const leaveDialogs = useUi(ui => ui.leaveDialogs)
	return (
		<Link href={href} onPress={leaveDialogs}>
			{children}
		</Link>
	)
}
