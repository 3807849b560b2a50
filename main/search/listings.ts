import { DirectoryCache } from '../workspace/directory-cache'

/** The listings that this thread remembers from one search to the next. */
export const listings = new DirectoryCache()
