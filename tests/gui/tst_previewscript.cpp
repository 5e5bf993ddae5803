// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/previewtools.h"
#include "tests/helpers/testregistry.h"
#include "widgets/editor/codeoverlay.h"
#include "widgets/editor/codeview.h"
#include "widgets/tasks/previewpage.h"
#include "widgets/tasks/scriptparts.h"
#include "widgets/tasks/scriptsheet.h"

#include <QCheckBox>
#include <QImage>
#include <QPaintEvent>
#include <QSignalSpy>
#include <QTest>

using namespace trainyard;

// The script of a task as the page shows it.
class TstPreviewScript : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scriptIsShownInParts();
    void partsHaveBars();
    void caretGoesPastBars();
    void secretsAreToldApart();
    void dotsThatStayPaintNothing();
    void marksWhatIsFilledIn();
};

// The steps and the commands, without the lines of ours that run them.
void TstPreviewScript::scriptIsShownInParts()
{
    QCOMPARE(scriptParts("#!/bin/bash\nset -o errexit\necho hi\n").size(), 1);
    const QByteArray runner = "#!/bin/bash\n__ty_child='\nx\n'\n__ty_step() {\n    :\n}\nexec 99>&1\n";
    const QByteArray script = runner
        + "__ty_step before tools fail 'echo '\\''quoted'\\''\necho two\n'\n__ty_step before 'a b' ignore true\n"
          "exec 99>&-\nunset -f __ty_log __ty_carry __ty_step\nunset __ty_mark __ty_marks\nunset __ty_child __ty_run\n"
          "trap '{\n    [[ -z ${TRAINYARD_TASK_FOLDER-} ]]\n} 2>/dev/null || :' EXIT\n"
          "set -o errexit\npython3 train.py\n";
    const QList<ScriptPart> parts = scriptParts(script);
    QCOMPARE(parts.size(), 3);
    QVERIFY(parts.at(0) == (ScriptPart{ScriptPart::Kind::Before, "tools", false, "echo 'quoted'\necho two\n"}));
    QVERIFY(parts.at(1) == (ScriptPart{ScriptPart::Kind::Before, "a b", true, "true"}));
    QVERIFY(parts.at(2) == (ScriptPart{ScriptPart::Kind::Commands, {}, false, "set -o errexit\npython3 train.py\n"}));
    const QByteArray after = runner
        + "(\n    exec 97< <(printf '%s' 'exec 97<&-; python3 train.py\n')\n    exec 99>&-\n)\n"
          "__ty_step after tools fail 'rm -r data'\n";
    QCOMPARE(scriptParts(after).value(0).code, QByteArray("python3 train.py\n"));
    // The options that are the same for all are no lines of theirs: bash counts lines without those of a step.
    const QList<ScriptPart> headed = scriptParts(runner
        + "__ty_step before tools fail 'set -o errexit\necho one\n'\n"
          "__ty_step before more ignore 'set +o errexit\necho two\nset -o errexit\n'\n"
          "unset __ty_child __ty_run\nset -o errexit -o nounset -o pipefail\npython3 train.py\n");
    QCOMPARE(headed.size(), 3);
    QCOMPARE(headed.at(0).code, QByteArray("echo one\n"));
    QCOMPARE(headed.at(1).code, QByteArray("echo two\n"));
    QCOMPARE(headed.at(2).code, QByteArray("python3 train.py\n"));
    QVERIFY(headed.at(2).isHeaded && !parts.at(2).isHeaded);
    QVERIFY(scriptParts(after).value(1) == (ScriptPart{ScriptPart::Kind::After, "tools", false, "rm -r data"}));
    PreviewPage page;
    PlanReply plan = samplePlan();
    plan.tasks[0].script = QString::fromUtf8(script);
    page.setPlan(plan, {}, QTime(12, 0));
    const auto *view = page.findChild<CodeView *>(QStringLiteral("previewScript"));
    QVERIFY(!view->allBytes().contains("__ty_"));
    QVERIFY(view->allBytes().contains("\necho two\n"));
    QCOMPARE(page.shownScript(), QString::fromUtf8(script)); // what is copied runs
    page.findChild<QCheckBox *>(QStringLiteral("previewWhole"))->setChecked(true);
    QCOMPARE(view->allBytes(), script);
}

// Each part has a bar with its place in the job, higher than a line, and no number of its own.
void TstPreviewScript::partsHaveBars()
{
    PlanReply plan = samplePlan();
    plan.tasks.resize(1);
    plan.tasks[0].script
        = QStringLiteral("#!/bin/bash\n__ty_step before base fail 'set -o errexit\necho base\n'\n"
                         "__ty_step before tools fail 'set -o errexit\necho tools\n'\nunset __ty_child __ty_run\n"
                         "set -o errexit -o nounset -o pipefail\necho <% $secrets.token %> $PAI_TASK_INDEX\n");
    PreviewPage page;
    page.resize(1200, 600);
    page.setPlanning(planJob);
    page.setPlan(plan, {}, QTime(12, 0));
    page.show();
    auto *view = page.findChild<CodeView *>(QStringLiteral("previewScript"));
    QCOMPARE(view->ground(), Colour::Surface); // as the panes beside it
    const auto *overlay = view->findChild<CodeOverlay *>();
    QVERIFY(overlay);
    QCOMPARE(overlay->bars().size(), 3);
    const QList<CodeOverlay::Bar> &bars = overlay->bars();
    QCOMPARE(bars.at(0).title, QStringLiteral("1  base"));
    QCOMPARE(bars.at(0).detail, QStringLiteral("prerequisite, line 8"));
    QVERIFY(bars.at(0).atEnd.startsWith(QStringLiteral("1 line")));
    QCOMPARE(bars.at(2).detail, QStringLiteral("role w, line 23, under errexit, nounset and pipefail"));
    QTRY_COMPARE(overlay->geometry(), view->viewport()->rect());
    const long line = view->SendScintilla(QsciScintilla::SCI_TEXTHEIGHT, 0UL);
    for (const CodeOverlay::Bar &bar : bars) {
        const QRect place = overlay->placeOf(bar);
        QVERIFY(place.height() > line && place.height() <= 2 * line);
        // Above its first line, below the last one of the part before.
        QVERIFY(place.bottom() < view->pointOf(view->lineStart(bar.line + 1)).y());
        QVERIFY(bar.line == 0 || place.top() >= view->pointOf(view->lineStart(bar.line - 1), true).y());
    }
    // The secret is covered, and its name is read on hover.
    QCOMPARE(overlay->dots().size(), 1);
    QCOMPARE(view->bytesIn(overlay->dots().constFirst()), QByteArray("<% $secrets.token %>"));
    const auto *sheet = page.findChild<ScriptSheet *>();
    QVERIFY(sheet->tipAt(view->pointOf(overlay->dots().constFirst().begin + 2) + QPoint(1, 2))
                .startsWith(QStringLiteral("The secret token:")));
    QVERIFY(sheet->tipAt(view->pointOf(view->lineStart(1)) + QPoint(1, 2)).isEmpty());
    QCOMPARE(overlay->dotNames(), QStringList{QStringLiteral("token")});
    // What the bars cover makes the text no wider.
    for (const CodeOverlay::Bar &bar : bars) {
        const QByteArray covered = view->bytesIn({view->lineStart(bar.line), view->lineEnd(bar.line)});
        QCOMPARE(QString::fromUtf8(covered), QStringLiteral("# ") + bar.title.simplified());
    }
    // With every line there are none, and the secret is covered all the same.
    page.findChild<QCheckBox *>(QStringLiteral("previewWhole"))->setChecked(true);
    QVERIFY(overlay->bars().isEmpty());
    QCOMPARE(overlay->dots().size(), 1);
    QCOMPARE(view->bytesIn(overlay->dots().constFirst()), QByteArray("<% $secrets.token %>"));
}

// It would not be seen there.
void TstPreviewScript::caretGoesPastBars()
{
    PlanReply plan = samplePlan();
    plan.tasks.resize(1);
    plan.tasks[0].script
        = QStringLiteral("#!/bin/bash\n__ty_step before base fail 'set -o errexit\necho base\n'\n"
                         "__ty_step before tools fail 'set -o errexit\necho tools\n'\nunset __ty_child __ty_run\n"
                         "set -o errexit -o nounset -o pipefail\necho here\n");
    PreviewPage page;
    page.resize(1200, 600);
    page.setPlanning(planJob);
    page.setPlan(plan, {}, QTime(12, 0));
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    auto *view = page.findChild<CodeView *>(QStringLiteral("previewScript"));
    const auto *overlay = view->findChild<CodeOverlay *>();
    QCOMPARE(overlay->bars().size(), 3);
    const qsizetype second = overlay->bars().at(1).line;
    const auto line = [view] { return view->lineOf(view->caret()); };
    QCOMPARE(line(), 1); // below the first one, from the beginning
    QCOMPARE(second, 2);
    QSignalSpy moved(view, &CodeView::caretMoved);
    const auto isToldAt = [&](qsizetype place) {
        return !moved.isEmpty() && view->lineOf(moved.constLast().at(0).value<qsizetype>()) == place;
    };
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Down);
    QTRY_VERIFY(isToldAt(second + 1));
    QCOMPARE(line(), second + 1);
    QTest::keyClick(view, Qt::Key_Up);
    QTRY_COMPARE(line(), second - 1);
}

// By the names behind their dots.
void TstPreviewScript::secretsAreToldApart()
{
    CodeView view(CodeView::Language::Bash);
    view.resize(500, 120);
    view.setAllBytes("echo <% $secrets.alpha %>\n");
    CodeOverlay overlay(&view);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QList<ByteRange> one{{5, 25}};
    const auto drawn = [&](const QStringList &names) {
        overlay.setDots(one, names);
        QImage image(overlay.size(), QImage::Format_ARGB32);
        image.fill(Qt::transparent);
        overlay.render(&image, {}, {}, QWidget::RenderFlags());
        return image;
    };
    QCOMPARE(drawn({QStringLiteral("alpha")}), drawn({QStringLiteral("alpha")}));
    QVERIFY(drawn({QStringLiteral("alpha")}) != drawn({QStringLiteral("gamma")}));
    QVERIFY(drawn({QStringLiteral("alpha")}) != drawn({}));
}

// They are told anew with each move of a caret.
void TstPreviewScript::dotsThatStayPaintNothing()
{
    struct Whole : QObject {
        int count = 0;
        bool eventFilter(QObject *watched, QEvent *event) override
        {
            const bool isPaint = event->type() == QEvent::Paint;
            count += isPaint
                && static_cast<QPaintEvent *>(event)->region().boundingRect()
                    == static_cast<QWidget *>(watched)->rect();
            return false;
        }
    } whole;
    CodeView view(CodeView::Language::Bash);
    view.resize(500, 120);
    view.setAllBytes("echo <% $secrets.alpha %>\n");
    CodeOverlay overlay(&view);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    overlay.installEventFilter(&whole);
    const QList<ByteRange> one{{5, 25}};
    overlay.setDots(one);
    QTRY_COMPARE_GT(whole.count, 0);
    QCoreApplication::processEvents();
    whole.count = 0;
    overlay.setDots(one);
    QCoreApplication::processEvents();
    QCOMPARE(whole.count, 0);
    overlay.setDots({});
    QTRY_COMPARE_GT(whole.count, 0);
}

// Values of parameters are marked where they stand now, secrets where their names still stand.
void TstPreviewScript::marksWhatIsFilledIn()
{
    const QByteArray yaml = "protocolVersion: 2\nname: t\ntype: job\nsecrets: {token: hush}\n"
                            "parameters: {model: rés, lr: 0.1}\n"
                            "prerequisites:\n  - {name: img, type: dockerimage, uri: u}\n"
                            "  - name: tools\n    type: script\n"
                            "    plugin: com.microsoft.pai.runtimeplugin.cmd\n    callbacks:\n"
                            "      - {event: taskStarts, commands: ['get <% $parameters.model %>']}\n"
                            "taskRoles:\n  w:\n    dockerImage: img\n    prerequisites: [tools]\n"
                            "    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
                            "    commands: [\"é --lr <% $parameters.lr %> <% $secrets.token %>\"]\n";
    PlanReply plan = samplePlan();
    plan.tasks.resize(1);
    plan.tasks[0].script
        = QStringLiteral("#!/bin/bash\n__ty_step before tools fail 'set -o errexit\nget rés\n'\n"
                         "exec 99>&-\nunset __ty_child\nset -o errexit\né --lr 0.1 <% $secrets.token %>\n");
    PreviewPage page;
    page.resize(1200, 600);
    page.setPlanning(yaml);
    page.setPlan(plan, {}, QTime(12, 0));
    page.show();
    auto *view = page.findChild<CodeView *>(QStringLiteral("previewScript"));
    const auto marked = [view](int indicator) {
        QByteArrayList found;
        for (qsizetype at = 0; at < view->byteCount(); ++at) {
            if (view->SendScintilla(
                    QsciScintilla::SCI_INDICATORVALUEAT, static_cast<unsigned long>(indicator), long(at))
                != 0) {
                const auto end = view->SendScintilla(
                    QsciScintilla::SCI_INDICATOREND, static_cast<unsigned long>(indicator), long(at));
                found.append(view->bytesIn({at, end}));
                at = end;
            }
        }
        return found;
    };
    QCOMPARE(marked(CodeView::FilledText), (QByteArrayList{"rés", "0.1"}));
    QCOMPARE(marked(CodeView::SecretText), QByteArrayList{"<% $secrets.token %>"});
    QVERIFY(!page.shownScript().contains(QStringLiteral("hush")));
    // Without parts, too.
    plan.tasks[0].script = QStringLiteral("#!/bin/bash\nset -o errexit\né --lr 0.1 <% $secrets.token %>\n");
    page.setPlan(plan, {}, QTime(12, 0));
    QCOMPARE(marked(CodeView::FilledText), QByteArrayList{"0.1"});
}

TRAINYARD_GUI_TEST(TstPreviewScript)
#include "tst_previewscript.moc"
