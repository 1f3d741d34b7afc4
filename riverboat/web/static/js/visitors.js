/* Tables that visitors opened for themselves bear their names. */
export const isVisitors = (table) => table.startsWith("Guest ");
