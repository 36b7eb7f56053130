#define CELLS 4096 /* PEVPM_ is another word
                     */
const char *a = "// PEVPM Message type = MPI_Nothing";
const char *b = "\" /* PEVPM { */ \\";   // PEVPM Loop iterations = 10
//PEVPM {
char c = '"'; // PEVPM Serial time = 1 us
int n = 1'000'000; /* PEVPM Message type = MPI_Send
                    * to = procnum ? 0 : 1
                    * & size = CELLS
                    */
const char *raw = R"x(
// PEVPM Message type = MPI_In_a_raw_string )" )x"; /* PEVPM & tag = 7 */
// an ordinary comment \
// PEVPM Message is inside an ordinary comment that a backslash carries on
	//	PEVPM	Runon c1 = procnum == 0 \
	c2 = procnum == 1, else
/* PEVPM { */ /* PEVPM } */
/* PEVPM { */ /* PEVPM } */
// PEVPM {
//   PEVPM Call   nothing
/// PEVPM this is no directive: its leader is followed by a slash
// PEVPMX this is no directive either
// PEVPM }
// PEVPM }
// PEVPM Procedure nothing
/* PEVPM { */
/* PEVPM } */