// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/copyquestions.h"

#include "app/gui/askbox.h"
#include "app/gui/questionturn.h"
#include "engine/api/jobfacts.h"
#include "widgets/common/style.h"
#include "widgets/text/texts.h"

#include <QKeyEvent>
#include <QPushButton>

namespace trainyard
{
namespace
{

// Keeps keys from a box that are meant for a question that is gone. Escape is none of what is typed into a field.
class KeysForAnother final : public QObject
{
public:
    KeysForAnother(QuestionTurn *turn, QMessageBox *box) : QObject(box), m_turn(turn)
    {
        box->installEventFilter(this);
        const QList<QAbstractButton *> buttons = box->buttons();
        for (QAbstractButton *button : buttons) {
            button->installEventFilter(this);
        }
    }

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        return event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() != Qt::Key_Escape && m_turn
            && m_turn->areKeysForAnother();
    }

private:
    QPointer<QuestionTurn> m_turn;
};

} // namespace

CopyQuestions::CopyQuestions(EngineClient *client, QWidget *window, QuestionTurn *turn)
    : QObject(window), m_client(client), m_window(window), m_turn(turn ? turn : new QuestionTurn(this))
{
    connect(m_turn, &QuestionTurn::freed, this, &CopyQuestions::askNext);
    connect(client, &EngineClient::jobChanged, this, &CopyQuestions::take);
    connect(client, &EngineClient::jobRemoved, this, &CopyQuestions::drop);
    connect(client, &EngineClient::reset, this, [this] {
        const QStringList known = m_known.keys();
        for (const QString &uuid : known) {
            if (!m_client->job(uuid)) {
                drop(uuid); // it was removed without notice
            }
        }
        const QList<JobSummary> jobs = m_client->jobs();
        for (const JobSummary &job : jobs) {
            take(job);
        }
    });
}

void CopyQuestions::take(const JobSummary &job)
{
    if (!asksToCopy(job)) {
        drop(job.uuid);
        return;
    }
    const bool isNew = !m_known.contains(job.uuid);
    m_known.insert(job.uuid, job);
    if (isNew) {
        m_waiting.append(job.uuid);
        askNext();
    }
}

void CopyQuestions::drop(const QString &uuid)
{
    m_known.remove(uuid);
    m_waiting.removeAll(uuid);
    if (m_box && m_asked == uuid) {
        m_box->disconnect(this);
        m_box->close();
        m_box = nullptr;
        m_turn->withdraw(false);
    }
}

void CopyQuestions::askNext()
{
    if (!m_turn->isFree() || m_waiting.isEmpty()) {
        return;
    }
    m_turn->take();
    m_asked = m_waiting.takeFirst();
    const JobSummary job = m_known.value(m_asked);
    m_box = makeAskBox(m_window, tr("Copy the work folder of %1 #%2?").arg(job.name, QString::number(job.id)),
        reasonText(job.reason, job.reasonArgs), QMessageBox::Yes | QMessageBox::No | QMessageBox::Cancel);
    m_box->setObjectName(QStringLiteral("copyBox"));
    m_box->button(QMessageBox::Yes)->setText(tr("Copy it"));
    m_box->button(QMessageBox::No)->setText(tr("Do not copy it"));
    m_box->button(QMessageBox::Cancel)->setText(tr("Later"));
    setButtonKind(m_box->button(QMessageBox::Yes), ButtonKind::Primary);
    m_box->setDefaultButton(QMessageBox::Cancel); // it appears while the user types
    m_box->setEscapeButton(QMessageBox::Cancel);
    connect(m_box, &QMessageBox::finished, this, [this, uuid = m_asked](int button) {
        m_box = nullptr;
        if (button == QMessageBox::Yes || button == QMessageBox::No) {
            m_client->call<api::AnswerCopy>(
                {uuid, button == QMessageBox::Yes}, this, [](const Result<bool> &) {}); // or it was answered elsewhere
        }
        m_turn->give();
    });
    new KeysForAnother(m_turn, m_box);
    m_box->open();
}

} // namespace trainyard
