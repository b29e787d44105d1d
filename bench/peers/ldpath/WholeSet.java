import java.io.BufferedWriter;
import java.io.StringReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.marmotta.ldpath.LDPath;
import org.apache.marmotta.ldpath.api.backend.RDFBackend;
import org.apache.marmotta.ldpath.model.backend.AbstractBackend;
import org.apache.marmotta.ldpath.model.programs.Program;

/**
 * Evaluates a program with the reference engine for all instances of a class, in memory, and prints
 * how long that took. Arguments: a file of N-Triples, a file with the program, the class, and the
 * output file, which gets one line for each instance.
 *
 * <p>A node is its N-Triples form. Triples are in two hash maps, which is the fastest backend that
 * the engine can have.
 */
public class WholeSet extends AbstractBackend<String> implements RDFBackend<String> {
  private static final Pattern TRIPLE = Pattern.compile("(\\S+) (\\S+) (.*) \\.");
  private static final Pattern LITERAL = Pattern.compile("\"(.*)\"(?:@(\\S+)|\\^\\^<(.*)>)?");
  private static final String TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>";

  private final Map<String, String> nodes = new HashMap<>();
  private final Map<String, Map<String, List<String>>> objects = new HashMap<>();
  private final Map<String, Map<String, List<String>>> subjects = new HashMap<>();

  public static void main(String[] arguments) throws Exception {
    WholeSet data = new WholeSet();
    try (Stream<String> lines = Files.lines(Path.of(arguments[0]))) {
      lines.forEach(data::add);
    }
    LDPath<String> engine = new LDPath<>(data);
    Program<String> program =
        engine.parseProgram(new StringReader(Files.readString(Path.of(arguments[1]))));
    Collection<String> starts = data.listSubjects(TYPE, "<" + arguments[2] + ">");
    long began = System.nanoTime();
    long values = 0;
    try (BufferedWriter out = Files.newBufferedWriter(Path.of(arguments[3]))) {
      for (String start : starts) {
        Map<String, Collection<?>> result = program.execute(data, start);
        for (Collection<?> field : result.values()) values += field.size();
        out.write(start);
        out.write(' ');
        out.write(result.toString());
        out.newLine();
      }
    }
    long milliseconds = (System.nanoTime() - began) / 1_000_000;
    System.out.printf(
        "{\"documents\":%d,\"values\":%d,\"milliseconds\":%d}%n", starts.size(), values, milliseconds);
  }

  private void add(String line) {
    Matcher triple = TRIPLE.matcher(line);
    if (!triple.matches()) throw new IllegalArgumentException("Not a triple: " + line);
    String subject = node(triple.group(1));
    String predicate = node(triple.group(2));
    String object = node(triple.group(3));
    put(objects, subject, predicate, object);
    put(subjects, object, predicate, subject);
  }

  private String node(String text) {
    String known = nodes.putIfAbsent(text, text);
    return known == null ? text : known;
  }

  private static void put(
      Map<String, Map<String, List<String>>> index, String from, String predicate, String to) {
    index
        .computeIfAbsent(from, ignored -> new HashMap<>(4))
        .computeIfAbsent(predicate, ignored -> new ArrayList<>(1))
        .add(to);
  }

  private static Collection<String> find(
      Map<String, Map<String, List<String>>> index, String from, String predicate) {
    Map<String, List<String>> byPredicate = index.getOrDefault(from, Map.of());
    if (predicate != null) return byPredicate.getOrDefault(predicate, List.of());
    return byPredicate.values().stream().flatMap(List::stream).distinct().toList();
  }

  @Override
  public Collection<String> listObjects(String subject, String predicate) {
    return find(objects, subject, predicate);
  }

  @Override
  public Collection<String> listSubjects(String predicate, String object) {
    return find(subjects, object, predicate);
  }

  @Override
  public boolean supportsThreading() {
    return false;
  }

  @Override
  public ThreadPoolExecutor getThreadPool() {
    return null;
  }

  @Override
  public boolean isLiteral(String node) {
    return node.charAt(0) == '"';
  }

  @Override
  public boolean isURI(String node) {
    return node.charAt(0) == '<';
  }

  @Override
  public boolean isBlank(String node) {
    return node.charAt(0) == '_';
  }

  @Override
  public Locale getLiteralLanguage(String node) {
    String tag = partOf(node, 2);
    return tag == null ? null : Locale.forLanguageTag(tag);
  }

  @Override
  public URI getLiteralType(String node) {
    String type = partOf(node, 3);
    return type == null ? null : URI.create(type);
  }

  @Override
  public String stringValue(String node) {
    if (isBlank(node)) return node.substring(2);
    return isURI(node) ? node.substring(1, node.length() - 1) : partOf(node, 1);
  }

  private static String partOf(String literal, int group) {
    Matcher parts = LITERAL.matcher(literal);
    if (!parts.matches()) throw new IllegalArgumentException("Not a literal: " + literal);
    return parts.group(group);
  }

  @Override
  public String createURI(String uri) {
    return node("<" + uri + ">");
  }

  @Override
  public String createLiteral(String content) {
    return node("\"" + content + "\"");
  }

  @Override
  public String createLiteral(String content, Locale language, URI type) {
    if (language != null) return node("\"" + content + "\"@" + language.toLanguageTag());
    return type == null ? createLiteral(content) : node("\"" + content + "\"^^<" + type + ">");
  }
}
