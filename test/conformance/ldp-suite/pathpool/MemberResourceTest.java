package pathpool;

import java.io.IOException;
import org.testng.annotations.Optional;
import org.testng.annotations.Parameters;

/** The suite's tests of the same name, with their resource made at once; see suite.ts. */
public class MemberResourceTest extends org.w3.ldp.testsuite.test.MemberResourceTest {
  @Parameters({"directContainer", "indirectContainer", "basicContainer"})
  public MemberResourceTest(@Optional String direct, @Optional String indirect, @Optional String basic)
      throws IOException {
    super(null);
    setup(null, direct, indirect, basic, null);
  }
}
