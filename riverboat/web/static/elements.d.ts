/* What a template makes has whatever fields its kind of element has: the check of the scripts is about
   answers and frames, and leaves elements and events alone. */
interface Element { [name: string]: any }
interface EventTarget { [name: string]: any }
interface Event { [name: string]: any }
