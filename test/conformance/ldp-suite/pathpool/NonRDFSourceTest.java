package pathpool;

import java.io.IOException;
import org.testng.annotations.Optional;
import org.testng.annotations.Parameters;

/** The suite's tests of the same name, with their resource made at once; see suite.ts. */
public class NonRDFSourceTest extends org.w3.ldp.testsuite.test.NonRDFSourceTest {
  @Parameters({"basicContainer", "directContainer", "indirectContainer"})
  public NonRDFSourceTest(@Optional String basic, @Optional String direct, @Optional String indirect)
      throws IOException {
    super(null);
    setup(basic, direct, indirect);
  }
}
