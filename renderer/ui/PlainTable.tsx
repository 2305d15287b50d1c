import type {ReactNode} from 'react'

import {cx} from './cx.ts'
import styles from './PlainTable.module.css'

/** A short read-only table without a cursor, with HTML rows. */
export function PlainTable({className, children}: {className?: string | undefined; children: ReactNode}) {
	return <table className={cx(styles.table, className)}>{children}</table>
}
