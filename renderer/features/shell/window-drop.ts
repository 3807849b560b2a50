import { useEffect } from 'react'
import { dropProject } from '../../store/project-actions'
import { reportActFailure } from '../../store/ui-store'

/** Opens a folder that is dropped anywhere, and keeps the window from showing a dropped file in its own place. */
export function useWindowDrop(): void {
  useEffect(() => {
    const onDragOver = (event: DragEvent) => event.preventDefault()
    const onDrop = (event: DragEvent) => {
      if (event.defaultPrevented) return
      event.preventDefault()
      const [file] = event.dataTransfer?.files ?? []
      const isFolder = event.dataTransfer?.items[0]?.webkitGetAsEntry()?.isDirectory === true
      if (file !== undefined && isFolder) void dropProject(file).catch(reportActFailure)
    }
    window.addEventListener('dragover', onDragOver)
    window.addEventListener('drop', onDrop)
    return () => {
      window.removeEventListener('dragover', onDragOver)
      window.removeEventListener('drop', onDrop)
    }
  }, [])
}
