// PEVPM Message type = MPI_Send
	// PEVPM &	to = rigt
/* PEVPM & size = 4 *
 * sizo
 */
