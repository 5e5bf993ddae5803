// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/caretplace.h"
#include "model/protocol/yamllayout.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

namespace
{

// "key /path 'token' siblings" and so on, for a text with ^ at the caret.
QByteArray placeIn(QByteArray text)
{
    const qsizetype caret = text.indexOf('^');
    text.remove(caret, 1);
    const CaretPlace place = caretPlaceAt(text, caret);
    QByteArray out;
    switch (place.kind) {
    case CaretPlace::Kind::Nothing:
        return "nothing";
    case CaretPlace::Kind::Key:
        out = "key";
        break;
    case CaretPlace::Kind::Value:
        out = "value";
        break;
    case CaretPlace::Kind::Text:
        return "text " + place.path.toPointer().toUtf8();
    }
    out += ' ' + (place.path.isEmpty() ? QByteArray("/") : place.path.toPointer().toUtf8()) + " '"
        + text.mid(place.token.begin, place.token.length()) + '\'';
    if (place.kind == CaretPlace::Kind::Key) {
        out += " [" + place.keys.join(QLatin1Char(',')).toUtf8() + ']';
    }
    if (!place.items.isEmpty()) {
        out += " [" + place.items.join(QLatin1Char(',')).toUtf8() + ']';
    }
    out += place.hasColon ? " colon" : "";
    out += place.flow ? " flow" : "";
    out += place.quote ? QByteArray(" ") + place.quote : QByteArray();
    out += place.mayBeKey ? " open" : "";
    out += place.needsDash ? " dash" : "";
    out += place.needsSpace ? " space" : "";
    return out;
}

} // namespace

class TstCaretPlace : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void finds_data();
    void finds();
    void bearsEveryCut();
    void knowsLayouts_data();
    void knowsLayouts();
};

void TstCaretPlace::finds_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *text, const char *expected) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
    };
    row("empty text", "^", "value / '' open");
    row("first word", "na^", "value / 'na' open");
    row("first word, keys below", "na^\nname: x\ntype: job\n", "key / 'na' [name,type]");
    row("key", "a: 1\nna^me: x\nb: 2\n", "key / 'name' [a,b] colon");
    row("key's begin", "^name: x\n", "key / 'name' [] colon");
    row("key's end", "name^: x\n", "key / 'name' [] colon");
    row("new key", "a: 1\n^\nb: 2\n", "key / '' [a,b]");
    row("new key, half written", "a: 1\nin^\nb: 2\n", "key / 'in' [a,b]");
    row("behind the colon", "a:^\n", "value /a '' space");
    row("value, nothing yet", "a: ^\nb: 1\n", "value /a ''");
    row("value", "a: so^me text\n", "value /a 'some text'");
    row("value's end", "a: x^\n", "value /a 'x'");
    row("behind the value", "a: x ^\n", "value /a 'x '");
    row("comment", "a: x # co^mment\n", "nothing");
    row("comment line", "# he^re\n", "nothing");
    row("hash in a value", "a: x#^y\n", "value /a 'x#y'");
    row("quoted value", "a: \"so^me\"\n", "value /a 'some' \"");
    row("quoted, not closed", "a: 'so^me\nb: 1\n", "value /a 'some' '");
    row("after an unclosed quote", "a: 'some\nb: ^\n", "value /b ''");
    row("quoted key", "\"a b\": 1\n'c^d': 2\n", "key / 'cd' [a b] colon '");
    row("map below, nothing yet", "a:\n  ^\n", "value /a '' open");
    row("map below, deeper than told", "a:\n    ^\n", "value /a '' open");
    row("map below, first word", "a:\n  in^\n", "value /a 'in' open");
    row("map below, first key", "a:\n  ^\n  b: 1\n  c: 2\nd: 3\n", "key /a '' [b,c]");
    row("map below, word before keys", "a:\n  in^\n  b: 1\n", "key /a 'in' [b]");
    row("another map's key", "a:\n  b: 1\n  ^\nc: 2\n", "key /a '' [b]");
    row("outdented", "a:\n  b: 1\n^\n", "key / '' [a]");
    row("between two columns", "a:\n  b: 1\n ^\n", "nothing");
    row("goes on with a value", "a:\n  b: 1\n    ^\n", "nothing");
    row("three levels", "a:\n  b:\n    c:\n      ^\n", "value /a/b/c '' open");
    row("list item, nothing yet", "a:\n  - ^\n", "value /a/0 '' open");
    row("list item, no space", "a:\n  -^\n", "value /a/0 '' open space");
    row("second item", "a:\n  - x\n  - ^\n", "value /a/1 '' [x] open");
    row("item, half written", "a:\n  - x\n  - y^\n  - z\n", "value /a/1 'y' [x] open");
    row("item's key", "a:\n  - na^me: x\n    type: y\n", "key /a/0 'name' [type] colon");
    row("item's next key", "a:\n  - name: x\n    ^\n    uri: z\n  - name: b\n", "key /a/0 '' [name,uri]");
    row("item's first key", "a:\n  - ^\n    uri: z\n", "key /a/0 '' [uri]");
    row("item's value", "a:\n  - name: x\n    type: do^\n", "value /a/0/type 'do'");
    row("where a dash is missing", "a:\n  - x\n  ^\n", "value /a/1 '' [x] dash");
    row("list without indentation", "a:\n- x\n- ^\nb: 1\n", "value /a/1 '' [x] open");
    row("after a list without indentation", "a:\n- x\n^\nb: 1\n", "key / '' [a,b]");
    row("dash indented too little", "a:\n  b:\n    - x\n  - y^\n", "value /a/b/1 'y' [x] open");
    row("dash between two columns", "a:\n  b:\n    - x\n   - ^y\n", "value /a/b/1 'y' [x] open");
    row("behind a dash indented too little", "a:\n  b:\n    - x\n  - y\n  c^: 1\n", "key /a 'c' [b] colon");
    row("dash of no list", "a:\n  b: x\n  - ^y\n", "nothing");
    row("lists in lists", "a:\n  - - ^x\n", "value /a/0/0 'x' open");
    row("map in a list in a map", "a:\n  b:\n    - c:\n        - d: ^\n", "value /a/b/0/c/0/d ''");
    row("block text", "a: |\n  some\n  te^xt: 1\nb: 2\n", "text /a");
    row("block text, blank line", "a: |\n  some\n  ^\nb: 2\n", "text /a");
    row("behind block text", "a: |\n  some\n^\nb: 2\n", "key / '' [a,b]");
    row("block text in a list", "a:\n  - |\n    te^xt\n", "text /a/0");
    row("block text of an item's key", "a:\n  - b: >-\n      te^xt\n    c: 1\n", "text /a/0/b");
    row("key behind block text", "a:\n  b: |-\n    x\n  c^: 1\n", "key /a 'c' [b] colon");
    row("header of block text", "a: |^\n", "nothing");
    row("in braces, nothing yet", "a: {^}\n", "key /a '' [] flow");
    row("in braces, not closed", "a: {^\nb: 1\n", "key /a '' [] flow");
    row("in braces, key", "a: {x: 1, g^, y: 2}\n", "key /a 'g' [x,y] flow");
    row("in braces, behind a comma", "a: {x: 1, ^}\n", "key /a '' [x] flow");
    row("in braces, value", "a: {x: v^, y: 2}\n", "value /a/x 'v' flow");
    row("in braces, last key", "a: {x: 1, g^h: 2}\nb: 1\n", "key /a 'gh' [x] colon flow");
    row("in braces, last value", "a: {x: 1, y: v^}\nb: 1\n", "value /a/y 'v' flow");
    row("in brackets in braces", "a: {x: 1, y: [v^]}\nb: 1\n", "value /a/y/0 'v' flow");
    row("braces after braces", "a:\n  - {x: 1}\nb: {y: v^}\n", "value /b/y 'v' flow");
    row("in braces, no value yet", "a: {x: ^}\n", "value /a/x '' flow");
    row("in brackets", "a: [x, ^]\n", "value /a/1 '' [x] flow");
    row("in brackets, half written", "a: [x, y^]\n", "value /a/1 'y' [x] flow");
    row("in brackets, quoted", "a: [x, 'y^z']\n", "value /a/1 'yz' [x] flow '");
    row("braces over lines", "a: {\n  x: 1,\n  ^\n}\nb: 2\n", "key /a '' [x] flow");
    row("braces in braces", "a: {b: {c: 1, ^}, d: 2}\n", "key /a/b '' [c] flow");
    row("behind braces", "a: {b: 1}\n^\n", "key / '' [a]");
    row("after unclosed braces", "a: {b: 1\nc: ^\n", "value /c ''");
    row("command with a colon", "c:\n  - echo a:b ^\n", "value /c/0 'echo a:b ' open");
    row("url", "a: http://x/^y\n", "value /a 'http://x/y'");
    row("windows line ends", "a:\r\n  b: 1\r\n  ^\r\n", "key /a '' [b]");
    row("old line ends", "a:\r  b: 1\r  ^\r", "key /a '' [b]");
    row("byte order mark", "\xEF\xBB\xBF^name: 1\n", "key / 'name' [] colon");
    row("byte order mark, no key", "\xEF\xBB\xBFna^\n", "value / 'na' open");
    row("document mark", "---\n^\n", "value / '' open");
    row("anchor before a map", "a: &x\n  b: 1\n  ^\n", "key /a '' [b]");
    row("alias", "a: *x^\n", "nothing");
    row("tab", "a:\n\t^\n", "value /a '' open");
    row("broken line before", "a: 1\n}}} ??? :\nb: ^\n", "value /b ''");
    row("emoji", "a: \xF0\x9F\x98\x80\nb: x^\n", "value /b 'x'");
    row("plain text over lines", "a: one\n  two\nb: ^\n", "value /b ''");
}

void TstCaretPlace::finds()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QCOMPARE(placeIn(text), expected);
}

// Whatever is cut off and wherever the caret is: an answer inside of the text.
void TstCaretPlace::bearsEveryCut()
{
    const QByteArray text = "a: {b: [1, 'x'], \"c\": {d: e}}\nl:\n  - - x: |\n        t\n    -\n  - {y: 'z\nq: \"w\\\n"
                            "? k\n: v\n&a b: *c\n---\n- x\n... \n\xFF\t\r\r\n  }]";
    qsizetype asked = 0;
    for (qsizetype end = 0; end <= text.size(); ++end) {
        const QByteArray cut = text.left(end);
        for (qsizetype caret = 0; caret <= end; ++caret) {
            const CaretPlace place = caretPlaceAt(cut, caret);
            QVERIFY(place.token.begin >= 0 && place.token.begin <= place.token.end && place.token.end <= end);
            ++asked;
        }
    }
    QVERIFY(asked > 5000);
}

void TstCaretPlace::knowsLayouts_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("nothing") << QByteArray("a: 1\n") << QByteArray("2 2 \n");
    QTest::newRow("two") << QByteArray("a:\n  b: 1\nc:\n- d\n") << QByteArray("2 0 \n");
    QTest::newRow("four") << QByteArray("a:\n    b:\n    - 1\n") << QByteArray("4 0 \n");
    QTest::newRow("four, no list") << QByteArray("a:\r\n    b: 1\r\n") << QByteArray("4 4 \r\n");
    QTest::newRow("list") << QByteArray("a:\n  - b:\n      c: 1\n") << QByteArray("2 2 \n");
}

void TstCaretPlace::knowsLayouts()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const YamlLayout layout = layoutOf(text);
    QCOMPARE(QByteArray::number(layout.step) + ' ' + QByteArray::number(layout.dash) + ' ' + layout.eol, expected);
}

TRAINYARD_TEST(TstCaretPlace)
#include "tst_caretplace.moc"
