/* PEVPM Serial time = 4
 * - 1 */
