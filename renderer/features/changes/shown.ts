import { type RefObject, useEffect, useState } from 'react'

/** Whether an element is laid out on screen: false while its panel is folded, covered by a page, or scrolled away. */
export function useShown(element: RefObject<HTMLElement | null>): boolean {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver((entries) => setShown(entries.at(-1)?.isIntersecting ?? false))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return shown
}
